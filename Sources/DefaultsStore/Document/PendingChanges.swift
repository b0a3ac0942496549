/// What the journal's records have changed: each key once, in the order of their first change.
///
/// Copies share what they have in common, so that noting a change costs the same however many there are.
struct PendingChanges: Sendable {
    /// Nil before the first change.
    private var log: ChangeLog?
    /// How many of the log's changes apply here.
    private var count = 0

    var isEmpty: Bool { count == 0 }

    func change(ofKey key: KeyName) -> StoredChange? { log?.change(ofKey: key, among: count) }

    /// Nil without a change; an inner nil if the key was removed.
    func value(ofKey key: KeyName) -> StoredValue?? { log?.value(ofKey: key, among: count) ?? nil }

    /// Counts no reference; false without a change.
    @inline(__always)
    func withText(ofKey key: KeyName, _ body: (UnsafeBufferPointer<UInt8>?) -> Void) -> Bool {
        log?.withText(ofKey: key, among: count, body) ?? false
    }

    /// In the order in which the keys were first changed.
    var inOrder: [StoredChange] { log?.lastChanges(among: count) ?? [] }

    /// Records a change, replacing an earlier one of its key.
    ///
    /// - Parameter keepsRemovals: false where there is no text that a removal could hide a value of: then a list made
    ///   again leaves the removed keys out. Otherwise a suite in memory would keep the name of every key it
    ///   ever had.
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
