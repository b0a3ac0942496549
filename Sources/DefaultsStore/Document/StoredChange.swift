/// One key's change: what a write stages, a record says, and a state has until the next checkpoint.
///
/// A class, because all of these keep the same one.
package final class StoredChange: Sendable {
    package let key: KeyName
    /// Nil removes.
    package let value: StoredValue?
    /// Whether it removes.
    let isRemoval: Bool
    /// Whether the value spans several lines, which no record may.
    private let hasLineEnds: Bool

    package init(_ value: StoredValue?, forKey key: KeyName) {
        self.key = key
        self.value = value
        isRemoval = value == nil
        hasLineEnds = value?.hasLineEnds ?? false
    }

    /// The value without line ends.
    var valueOnOneLine: StoredValue? { hasLineEnds ? value?.onOneLine : value }
}
