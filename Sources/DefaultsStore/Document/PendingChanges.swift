/// What the journal's records have changed: each key once, in the order of their first change.
///
/// Copies share what they have in common, so that noting a change costs the same however many there are.
struct PendingChanges: Sendable {
    /// Nil if there has been no change yet.
    private var log: ChangeLog?
    /// How many of the log's changes count here.
    private var count = 0

    var isEmpty: Bool { count == 0 }

    /// Returns the last change of a key, if there is one.
    func change(ofKey key: KeyName) -> StoredChange? { log?.change(ofKey: key, among: count) }

    /// Returns the value of a key, an inner nil if the key was removed; nil if it has no change.
    func value(ofKey key: KeyName) -> StoredValue?? { log?.value(ofKey: key, among: count) ?? nil }

    /// Runs a body with the bytes of that value, without counting a reference; false if there is no change.
    @inline(__always)
    func withText(ofKey key: KeyName, _ body: (UnsafeBufferPointer<UInt8>?) -> Void) -> Bool {
        log?.withText(ofKey: key, among: count, body) ?? false
    }

    /// The changes, in the order in which their keys were first changed.
    var inOrder: [StoredChange] { log?.lastChanges(among: count) ?? [] }

    /// Records a change, replacing an earlier one of its key.
    ///
    /// - Parameter keepsRemovals: false where there is no text that a removal could hide a value of: then a list made
    ///   anew leaves the removed keys out. Otherwise a suite in memory would keep the name of every key it ever had.
    mutating func record(_ change: StoredChange, keepsRemovals: Bool = true) {
        if let log, log.add(change, behind: count) {
            count += 1
            return
        }
        let known = keepsRemovals ? inOrder : inOrder.filter { !$0.isRemoval }
        let fresh = ChangeLog(known)
        count = known.count
        log = fresh
        record(change)
    }
}
