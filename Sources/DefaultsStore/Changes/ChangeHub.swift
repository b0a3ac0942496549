/// The one place where the present state is replaced: it fills the mailboxes under its lock, so that their order is
/// the commit order, and leaves the calling of handlers to whoever replaced the state, with no lock held.
final class ChangeHub: Sendable {
    private struct State {
        var subscriptions: [ObjectIdentifier: Subscription] = [:]
    }

    private let state = Locked(State())  // Lock L5: protects the list and the order of states; may take L6.

    /// Whether anybody observes.
    var hasSubscriptions: Bool { state.withLock { !$0.subscriptions.isEmpty } }

    /// The list of observers while it is held: nobody begins to observe, and no domain changes, between two steps.
    ///
    /// Copyable, for one that is not, in a closure, stops the optimiser of Swift 6.3.
    struct Turn {
        fileprivate let subscriptions: [ObjectIdentifier: Subscription]
    }

    /// Runs a body that replaces the state in some steps, which are one to whoever begins to observe meanwhile.
    func inTurn<Result>(_ body: (Turn) -> Result) -> Result {
        state.withLock { body(Turn(subscriptions: $0.subscriptions)) }
    }

    /// Replaces the state in one step; see ``Turn/replace(unheard:touched:values:swap:)``.
    func replace(
        unheard: @autoclosure () -> Set<KeyName> = [],
        touched: @autoclosure () -> Set<KeyName>? = nil, values: () -> StoredValues,
        swap: () -> DefaultsChange.Cause?
    ) -> [Subscription] {
        inTurn { $0.replace(unheard: unheard(), touched: touched(), values: values, swap: swap) }
    }

    /// Adds an observer, which knows the present state from then on.
    func add(_ subscription: Subscription, sendsInitial: Bool, values: () -> StoredValues) {
        state.withLock { state in
            let texts = ChangeHub.texts(for: subscription, in: values(), nil)
            let told = Dictionary(texts.map { ($0.key, $0.text) }, uniquingKeysWith: { first, _ in first })
            subscription.start(with: told, sendsInitial: sendsInitial)
            state.subscriptions[ObjectIdentifier(subscription)] = subscription
        }
    }

    /// Takes an observer off the list.
    func remove(_ subscription: Subscription) {
        _ = state.withLock { $0.subscriptions.removeValue(forKey: ObjectIdentifier(subscription)) }
    }

    fileprivate typealias Text = (key: KeyName, text: StoredValue?)

    fileprivate static func hears(_ subscription: Subscription, _ touched: Set<KeyName>) -> Bool {
        subscription.allKeys != nil || subscription.keys.contains(where: touched.contains)
    }

    fileprivate static func texts(
        for subscription: Subscription, in values: StoredValues, _ touched: Set<KeyName>?
    ) -> [Text] {
        keys(of: subscription, in: values, touched).map { ($0, subscription.lookup($0, values)) }
    }

    private static func keys(
        of subscription: Subscription, in values: StoredValues, _ touched: Set<KeyName>?
    ) -> [KeyName] {
        guard let touched else { return subscription.allKeys?(values) ?? subscription.keys }
        guard subscription.allKeys != nil else { return subscription.keys.filter(touched.contains) }
        return touched.filter { $0 != .schema }.sorted()
    }

    /// The keys that an observer of all has only in the later of two states.
    fileprivate static func additions(
        to before: [Text], for subscription: Subscription, in after: StoredValues
    ) -> [Text] {
        guard let keys = subscription.allKeys?(after) else { return [] }
        let known = Set(before.map(\.key))
        return keys.filter { !known.contains($0) }.map { ($0, nil) }
    }
}

extension ChangeHub.Turn {
    /// Replaces the state and posts what that changes to the observers.
    ///
    /// - Parameters:
    ///   - unheard: the keys whose change no observer is to hear.
    ///   - touched: the only keys that the change is about; nil where it may be about all.
    ///   - values: the stored part of the present state, asked for before and after.
    ///   - swap: replaces the state and names the cause; returns nil where it leaves the state as it is.
    /// - Returns: the observers that have something to deliver.
    func replace(
        unheard: @autoclosure () -> Set<KeyName> = [],
        touched: @autoclosure () -> Set<KeyName>? = nil, values: () -> StoredValues,
        swap: () -> DefaultsChange.Cause?
    ) -> [Subscription] {
        guard !subscriptions.isEmpty else {
            _ = swap()
            return []
        }
        let (unheard, touched) = (unheard(), touched())
        let before = values()
        let concerned = touched.map { touched in
            subscriptions.filter { ChangeHub.hears($0.value, touched) }
        }
        let hearing = concerned ?? subscriptions
        let texts = hearing.mapValues { ChangeHub.texts(for: $0, in: before, touched) }
        guard let cause = swap() else { return [] }
        let after = values()
        return hearing.compactMap { id, subscription in
            let before = texts[id] ?? []
            let all =
                touched == nil
                ? before + ChangeHub.additions(to: before, for: subscription, in: after) : before
            let changed = all.compactMap { key, old in
                let new = subscription.lookup(key, after)
                return new == old || unheard.contains(key) ? nil : (key: key, text: new)
            }
            return subscription.post(changed, cause: cause) ? subscription : nil
        }
    }
}
