/// The observers of a store, found by the keys that they observe.
///
/// So a change of some keys costs as much as their own observers, however many others there are. A value: a copy has
/// the observers of its moment.
struct ObserverList {
    // Not dictionaries, whose first one of a type costs a process as much as opening a suite.
    private typealias Members = PersistentMap<ObjectIdentifier, ObserverSubscription>

    /// In one object, because every load copies the list, which is mostly empty.
    private final class Contents: Sendable {
        let all, ofAllKeys: Members
        let ofKey: PersistentMap<KeyName, Members>

        init(all: Members, ofAllKeys: Members, ofKey: PersistentMap<KeyName, Members>) {
            (self.all, self.ofAllKeys, self.ofKey) = (all, ofAllKeys, ofKey)
        }
    }

    private var contents: Contents?

    var isEmpty: Bool { contents == nil }

    mutating func add(_ subscription: ObserverSubscription) {
        let id = ObjectIdentifier(subscription)
        var (all, ofAllKeys) = (contents?.all ?? Members(), contents?.ofAllKeys ?? Members())
        var ofKey = contents?.ofKey ?? PersistentMap()
        all.set(subscription, forKey: id)
        if subscription.allKeys != nil { ofAllKeys.set(subscription, forKey: id) }
        for key in subscription.keys {
            var members = ofKey.value(forKey: key) ?? Members()
            members.set(subscription, forKey: id)
            ofKey.set(members, forKey: key)
        }
        contents = Contents(all: all, ofAllKeys: ofAllKeys, ofKey: ofKey)
    }

    mutating func remove(_ subscription: ObserverSubscription) {
        guard let old = contents else { return }
        let id = ObjectIdentifier(subscription)
        var (all, ofAllKeys, ofKey) = (old.all, old.ofAllKeys, old.ofKey)
        all.remove(id)
        ofAllKeys.remove(id)
        for key in subscription.keys {
            guard var members = ofKey.value(forKey: key) else { continue }
            members.remove(id)
            if members.isEmpty { ofKey.remove(key) } else { ofKey.set(members, forKey: key) }
        }
        contents = all.isEmpty ? nil : Contents(all: all, ofAllKeys: ofAllKeys, ofKey: ofKey)
    }

    /// Calls a body once with each observer that hears of one of some keys, in no particular order, and with those keys
    /// that it hears of: in its own order, or sorted for an observer of all keys.
    ///
    /// - Parameters:
    ///   - touched: the keys, each once; nil for all.
    ///   - values: has the keys that an observer of all keys then hears of.
    func forEach(
        interestedIn touched: [KeyName]?, in values: StoredValues,
        _ body: (ObserverSubscription, [KeyName]) -> Void
    ) {
        guard let contents else { return }
        guard let touched else { return contents.all.forEachValue { body($0, $0.keys(in: values)) } }
        if !contents.ofAllKeys.isEmpty {
            let settings = touched.filter { $0 != .schema }.sorted()
            contents.ofAllKeys.forEachValue { body($0, settings) }
        }
        // Without a set, which each write would pay for.
        if touched.count == 1 {
            contents.ofKey.value(forKey: touched[0])?.forEachValue { body($0, touched) }
            return
        }
        var ofSeveral = Members()
        for key in touched {
            contents.ofKey.value(forKey: key)?.forEachValue { subscription in
                if subscription.keys.count == 1 { return body(subscription, subscription.keys) }
                ofSeveral.set(subscription, forKey: ObjectIdentifier(subscription))
            }
        }
        guard !ofSeveral.isEmpty else { return }
        let names = Set(touched)
        ofSeveral.forEachValue { body($0, $0.keys.filter(names.contains)) }
    }
}
