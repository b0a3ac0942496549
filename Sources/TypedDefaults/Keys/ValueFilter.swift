import DefaultsStore

/// Whether a change of a key's text is one of its value, for an observer without values.
///
/// It forms no chain: the observer may have read a value that was written quietly between two events, so such
/// a value is assumed to be known.
final class ValueFilter<Value: Sendable>: Sendable {
    private let key: Defaults.Key<Value>
    private let context: SuiteContext
    /// The value decoded last, with its text, so that the next change decodes one text only.
    // A leaf lock without contention, because one thread at a time drains a mailbox.
    private let last = Locked<(text: StoredValue?, value: Value)?>(nil)

    init(_ key: Defaults.Key<Value>, in context: SuiteContext) {
        self.key = key
        self.context = context
        key.register(in: context)
    }

    /// Whether an entry changes the value, and not only its spelling.
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
