/// The one place where the current state is replaced.
///
/// It fills the mailboxes under its lock, so that their order is the commit order. The thread that replaced the state
/// calls the handlers afterwards, with no lock held.
final class ChangeHub: Sendable {
    // Lock L5: protects the list and the order of states; may take L6.
    private let observers = Locked(ObserverList())

    var hasSubscriptions: Bool { observers.withLock { !$0.isEmpty } }

    /// The list of observers while it is locked: no observer is added, and no domain changes, between two steps.
    ///
    /// Copyable, because a noncopyable value in a closure crashes the optimiser of Swift 6.3.
    struct Turn {
        fileprivate let observers: ObserverList
    }

    /// Runs a body that replaces the state in several steps, which are one step for an observer that is added
    /// meanwhile.
    func inTurn<Result>(_ body: (Turn) -> Result) -> Result {
        observers.withLock { body(Turn(observers: $0)) }
    }

    /// Replaces the state in one step; see ``Turn/replace(unobserved:touched:ofDomains:values:swap:)``.
    func replace(
        unobserved: @autoclosure () -> Set<KeyName> = [],
        touched: @autoclosure () -> [KeyName]? = nil, ofDomains: Bool = false, values: () -> StoredValues,
        swap: () -> DefaultsChange.Cause?
    ) -> [ObserverSubscription] {
        inTurn {
            $0.replace(
                unobserved: unobserved(), touched: touched(), ofDomains: ofDomains, values: values, swap: swap
            )
        }
    }

    /// It knows the current state from then on.
    func add(_ subscription: ObserverSubscription, sendsInitial: Bool, values: () -> StoredValues) {
        observers.withLock { observers in
            let values = values()
            let texts = ChangeHub.texts(of: subscription.keys(in: values), for: subscription, in: values)
            subscription.start(with: texts, sendsInitial: sendsInitial)
            observers.add(subscription)
        }
    }

    /// Adds an observer that knew another state, and posts what is different now.
    ///
    /// - Returns: whether it has something to deliver.
    func takeUp(_ subscription: ObserverSubscription, values: () -> StoredValues) -> Bool {
        observers.withLock { observers in
            guard !subscription.isOver else { return false }
            observers.add(subscription)
            let values = values()
            var texts = ChangeHub.texts(of: subscription.keys(in: values), for: subscription, in: values)
            if subscription.allKeys != nil {
                // What it was notified of, and what no domain has any more.
                let present = Set(texts.map(\.key))
                for key in subscription.deliveredKeys where !present.contains(key) {
                    texts.append(Text(key: key, text: subscription.lookup(key, values)))
                }
            }
            return subscription.post(texts, cause: .otherProcess(nil))
        }
    }

    func remove(_ subscription: ObserverSubscription) {
        observers.withLock { $0.remove(subscription) }
    }

    /// What a state has for a key.
    ///
    /// A struct, because the runtime looks up the type of a tuple whenever an array of them is made or freed.
    struct Text {
        let key: KeyName
        let text: StoredValue?
        /// What the domains below that of the text have, from which members come that it lacks: before a change of domains,
        /// and of a change that has changed that alone.
        var lower: [StoredValue]?
    }

    fileprivate static func texts(
        of keys: [KeyName], for subscription: ObserverSubscription, in values: StoredValues,
        withLower: Bool = false
    ) -> [Text] {
        keys.map { key in
            let text = subscription.lookup(key, values)
            return Text(key: key, text: text, lower: withLower ? subscription.lower(key, text, values) : nil)
        }
    }

    /// Returns the keys that an observer of all keys has only in the later of two states.
    fileprivate static func additions(
        to before: [Text], for subscription: ObserverSubscription, in after: StoredValues
    ) -> [Text] {
        guard let keys = subscription.allKeys?(after) else { return [] }
        let known = Set(before.map(\.key))
        return keys.filter { !known.contains($0) }.map { Text(key: $0, text: nil) }
    }
}

extension ChangeHub.Turn {
    /// An observer that may hear of a change, and what it would have heard of before.
    private struct Recipient {
        let subscription: ObserverSubscription
        let before: [ChangeHub.Text]
    }

    /// Replaces the state, and posts the resulting changes to the observers.
    ///
    /// - Parameters:
    ///   - unobserved: the keys whose change no observer is notified of.
    ///   - touched: the only keys that the change may affect, each once; nil if it may affect all.
    ///   - ofDomains: whether it replaces domains, so that a text may lack members that others than before supply.
    ///   - values: returns the stored part of the current state; called before and after.
    ///   - swap: replaces the state and names the cause; returns nil if it leaves the state as it is.
    /// - Returns: the observers that have something to deliver.
    func replace(
        unobserved: @autoclosure () -> Set<KeyName> = [],
        touched: @autoclosure () -> [KeyName]? = nil, ofDomains: Bool = false, values: () -> StoredValues,
        swap: () -> DefaultsChange.Cause?
    ) -> [ObserverSubscription] {
        guard !observers.isEmpty else {
            _ = swap()
            return []
        }
        let (unobserved, touched) = (unobserved(), touched())
        let before = values()
        var recipients: [Recipient] = []
        observers.forEach(interestedIn: touched, in: before) {
            let texts = ChangeHub.texts(of: $1, for: $0, in: before, withLower: ofDomains)
            recipients.append(Recipient(subscription: $0, before: texts))
        }
        guard let cause = swap() else { return [] }
        let after = values()
        var pending: [ObserverSubscription] = []
        for recipient in recipients {
            let (subscription, before) = (recipient.subscription, recipient.before)
            var changed: [ChangeHub.Text] = []
            var quiet: [ChangeHub.Text] = []
            func compare(_ old: ChangeHub.Text) {
                let new = subscription.lookup(old.key, after)
                let isSame = new.isSame(as: old.text)
                if isSame, !ofDomains || subscription.lower(old.key, new, after) == old.lower ?? [] { return }
                if !unobserved.contains(old.key) {
                    changed.append(.init(key: old.key, text: new, lower: isSame ? old.lower : nil))
                } else if !subscription.deliversValues {
                    quiet.append(.init(key: old.key, text: new))
                }
            }
            before.forEach(compare)
            if touched == nil, subscription.allKeys != nil {
                ChangeHub.additions(to: before, for: subscription, in: after).forEach(compare)
            }
            subscription.takeUp(quiet)
            if subscription.post(changed, cause: cause) { pending.append(subscription) }
        }
        return pending
    }
}

/// What one commit, edit or source changed for one observer: the texts before and after.
package struct ChangeNotice: Hashable, Sendable {
    /// The change of one key.
    ///
    /// A nil text means that only the key's own default answers.
    package struct Entry: Hashable, Sendable {
        package let key: KeyName
        package let old: StoredValue?
        package let new: StoredValue?
        /// What was below the text, if that alone has changed.
        package var formerLower: [StoredValue]?
    }

    package let entries: [Entry]
    package let isInitial: Bool
    package let cause: DefaultsChange.Cause
}
