/// One key's change: what a write stages, a record says, and a state has until the next checkpoint.
///
/// A class, because all of these keep the same one.
package final class StoredChange: Sendable {
    package let key: KeyName
    /// Nil removes.
    package let value: StoredValue?
    /// Whether it removes.
    let isRemoval: Bool
    /// Whether it may be made below a locked value, which goes on applying: a removal that is asked for as such, and a step
    /// of a migration.
    let passesLocks: Bool
    /// Whether the value spans several lines, which no record may.
    private let hasLineEnds: Bool

    package init(_ value: StoredValue?, forKey key: KeyName, passesLocks: Bool = false) {
        self.key = key
        self.value = value
        self.passesLocks = passesLocks
        isRemoval = value == nil
        hasLineEnds = value?.hasLineEnds ?? false
    }

    /// The value without line ends.
    var valueOnOneLine: StoredValue? { hasLineEnds ? value?.onOneLine : value }
}
