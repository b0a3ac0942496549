import DefaultsStore

/// The last value of one key that one observer received.
///
/// It makes the events a chain: each old value is the new value of the event before.
final class ValueChain<Value: Sendable>: Sendable {
    private let key: Defaults.Key<Value>
    private let context: SuiteContext
    // A leaf lock without contention, because one thread at a time drains a mailbox.
    private let last = Locked<Value?>(nil)

    init(_ key: Defaults.Key<Value>, in context: SuiteContext) {
        self.key = key
        self.context = context
        key.register(in: context)
    }

    /// Whether the values are secret; another key of that name may have made them so since.
    var isSecret: Bool { context.isSecret(key.keyName) }

    /// The old and the new value of a notice's entry; nil if only the spelling differs.
    func step(_ entry: ChangeNotice.Entry, isInitial: Bool = false) -> (old: Value, new: Value)? {
        let old = last.withLock { $0 } ?? key.formerValue(of: entry.old, over: entry.formerLower, in: context)
        let new = isInitial ? old : key.value(of: entry.new, in: context)
        context.recordRead(entry.new, of: key.keyName)
        last.exchange(new)
        return isInitial || !key.areEqual(old, new, in: context) ? (old, new) : nil
    }
}

/// Delivery to the observer's handler.
extension ValueChain {
    /// Calls a handler for each entry of a notice that changes the value, while the observer is active.
    ///
    /// An entry with the same value in another spelling is not a change.
    // Specialised, because generic code spends most of its time asking the runtime for types. The work is in a
    // function of its own, because the generic one would ask for the types that it needs before it finds the
    // specialised one.
    @_specialize(where Value == Bool)
    @_specialize(where Value == Int)
    @_specialize(where Value == Double)
    @_specialize(where Value == String)
    func notify(
        _ notice: ChangeNotice, to subscription: ObserverSubscription,
        _ handler: (Defaults.KeyChange<Value>) -> Void
    ) { notifyEach(notice, to: subscription, handler) }

    @inline(never)
    private func notifyEach(
        _ notice: ChangeNotice, to subscription: ObserverSubscription,
        _ handler: (Defaults.KeyChange<Value>) -> Void
    ) {
        for entry in notice.entries {
            guard let (old, new) = step(entry, isInitial: notice.isInitial), subscription.isActive else {
                continue
            }
            handler(
                Defaults.KeyChange(
                    oldValue: old, newValue: new, isInitial: notice.isInitial, cause: notice.cause,
                    isSecret: isSecret))
        }
    }
}
