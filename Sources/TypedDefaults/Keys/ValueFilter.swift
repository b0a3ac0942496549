import DefaultsStore

/// Whether a change of a key's text is one of its value, for an observer that is given no values.
///
/// It forms no chain: what was written quietly between two events counts as known, since the observer may have read it.
final class ValueFilter<Value: Sendable>: Sendable {
    private let key: Defaults.Key<Value>
    private let context: SuiteContext
    /// The value decoded last, with its text, so that what is a change after it decodes one text only.
    // A leaf; one thread at a time empties a mailbox, so nobody waits for it.
    private let last = Locked<(text: StoredValue?, value: Value)?>(nil)

    init(_ key: Defaults.Key<Value>, in context: SuiteContext) {
        self.key = key
        self.context = context
        key.register(in: context)
    }

    /// Returns whether an entry changes the value; not if it is the same in another spelling.
    func isChange(_ entry: ChangeNotice.Entry) -> Bool {
        let known = last.withLock { $0 }
        let old: Value
        if let known, known.text == entry.old {
            old = known.value
        } else {
            old = key.formerValue(of: entry.old, over: entry.formerLower, in: context)
        }
        let new = key.value(of: entry.new, in: context)
        last.exchange((entry.new?.detached, new))
        return !key.areEqual(old, new, in: context)
    }
}
