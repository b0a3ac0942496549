import DefaultsStore

/// The value a watch was last told, so that its changes form a chain.
final class WatchedValue<Value: Sendable>: Sendable {
    private let last: Locked<Value>  // A leaf; nothing is called under it.

    init(_ value: Value) { last = Locked(value) }

    /// What a notice changes; nil where the value is equal to the last.
    func step(to value: Value, _ notice: ChangeNotice) -> Defaults.KeyChange<Value>? {
        let old = last.withLock { last in
            defer { last = value }
            return last
        }
        guard notice.isInitial || !areEqual(old, value) else { return nil }
        return Defaults.KeyChange(
            oldValue: notice.isInitial ? value : old, newValue: value, isInitial: notice.isInitial,
            cause: notice.cause)
    }

    /// Whether `==` says so; false for a type that has none.
    private func areEqual(_ left: Value, _ right: Value) -> Bool {
        func compare<Comparand: Equatable>(_ left: Comparand) -> Bool { (right as? Comparand) == left }
        guard let left = left as? any Equatable else { return false }
        return compare(left)
    }
}
