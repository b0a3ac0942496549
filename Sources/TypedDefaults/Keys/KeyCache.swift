import DefaultsStore

/// What a key's last read found, good for as long as its stamp matches: the fast path of every typed read.
///
/// Reading takes no lock; a finished entry is immutable and published whole.
struct KeyCache<Value: Sendable>: Sendable {
    /// What a read can find.
    enum Outcome: Sendable {
        /// A value, decoded.
        case found(Value)
        /// Nothing but the key's own default.
        case missing
        /// A text that the key cannot use, and why.
        case refused(DefaultsError)
    }

    /// One finding.
    final class Entry: Sendable {
        let store: SuiteStore?
        let stamp: SuiteStamp
        /// The text it came from; another text is another value.
        let text: StoredValue?
        let outcome: Outcome

        init(store: SuiteStore?, stamp: SuiteStamp, text: StoredValue?, outcome: Outcome) {
            self.store = store
            self.stamp = stamp
            // A slice would keep the whole file's text alive for as long as this key is not read again.
            self.text = text.map { StoredValue(trusted: Array($0.bytes)[...]) }
            self.outcome = outcome
        }
    }

    private let latest = Published(Entry(store: nil, stamp: .none, text: nil, outcome: .missing))

    /// Values of class type are never shared out of a cache: each read decodes one of its own.
    private static var isShareable: Bool { !(Value.self is AnyObject.Type) }

    /// The finding, if it is that of the present state.
    ///
    /// - Cost: no system call and no lock.
    func present() -> Outcome? {
        let entry = latest.load()
        guard let store = entry.store, store.matches(entry.stamp) else { return nil }
        return entry.outcome
    }

    /// Keeps a finding, and reuses the last one's value where the text has not changed.
    func outcome(
        of text: StoredValue?, _ stamp: SuiteStamp, _ store: SuiteStore, decode: (StoredValue) -> Outcome
    ) -> Outcome {
        let last = latest.load()
        let outcome: Outcome
        if last.store === store, last.text == text {
            outcome = last.outcome
        } else {
            outcome = text.map(decode) ?? .missing
        }
        guard KeyCache.isShareable else { return text.map(decode) ?? .missing }
        latest.store(Entry(store: store, stamp: stamp, text: text, outcome: outcome))
        return outcome
    }
}
