/// What the journal's records have changed: each key once, in the order of their first change.
///
/// Copies share what they have in common, so that noting a change costs the same however many there are.
struct PendingChanges: Sendable {
    /// Nil where there was none yet.
    private var log: ChangeLog?
    /// How many of the log's changes count here.
    private var count = 0

    var isEmpty: Bool { count == 0 }

    /// The last change of a key, if it has one.
    func change(ofKey key: KeyName) -> KeyChange? { log?.change(ofKey: key, among: count) }

    /// The value of a key, nil in it where the key was removed; nil where it has no change.
    func value(ofKey key: KeyName) -> StoredValue?? { log?.value(ofKey: key, among: count) ?? nil }

    /// Runs a body with the bytes of it, which are not counted for that; false where there is no change.
    @inline(__always)
    func withText(ofKey key: KeyName, _ body: (UnsafeBufferPointer<UInt8>?) -> Void) -> Bool {
        log?.withText(ofKey: key, among: count, body) ?? false
    }

    /// The changes, in the order in which their keys were first changed.
    var inOrder: [KeyChange] { log?.lastChanges(among: count) ?? [] }

    /// What was changed since an earlier state, each key once; nil where that is none of these changes' own past.
    func changes(since other: PendingChanges) -> [KeyChange]? {
        if other.isEmpty { return inOrder }
        guard let log, other.log === log, other.count <= count else { return nil }
        return log.lastChanges(from: other.count, among: count)
    }

    /// Notes a change, in place of an earlier one of its key.
    mutating func note(_ change: KeyChange) {
        if let log, log.add(change, behind: count) {
            count += 1
            return
        }
        let known = inOrder
        let fresh = ChangeLog(known)
        count = known.count
        log = fresh
        note(change)
    }
}
