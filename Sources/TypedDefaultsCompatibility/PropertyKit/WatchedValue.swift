import DefaultsStore
import TypedDefaults

/// The value that a watch received last, so that its changes form a chain.
final class WatchedValue<Value: Sendable>: Sendable {
    private let last: Locked<Value>  // A leaf; nothing is called under it.

    private let deliversInitial: Bool
    /// What the value was made of.
    private let reads: [ReadRecorder.Read]

    /// Creates a chain that starts with a value.
    ///
    /// - Parameters:
    ///   - reads: what was read for the value.
    ///   - deliversInitial: whether the initial event is delivered as such; otherwise it only carries what has changed
    ///     since the value was read.
    init(_ value: Value, of reads: [ReadRecorder.Read], deliversInitial: Bool) {
        last = Locked(value)
        self.reads = reads
        self.deliversInitial = deliversInitial
    }

    /// Returns what a notice changes; nil if the value equals the last one.
    func step(to value: Value, _ notice: ChangeNotice) -> Defaults.KeyChange<Value>? {
        let old = last.exchange(value)
        let isInitial = notice.isInitial && deliversInitial
        // If it is not known whether the value has changed since it was read, the initial event tells nothing.
        guard isInitial || isChange(from: old, to: value) ?? !notice.isInitial else { return nil }
        return Defaults.KeyChange(
            oldValue: isInitial ? value : old, newValue: value, isInitial: isInitial, cause: notice.cause,
            isSecret: reads.contains { $0.context.isSecret($0.key) })
    }

    /// Whether two values differ; nil if that is not known, because their type has no `==`, or because neither is
    /// even equal to itself, as NaN is not.
    private func isChange(from old: Value, to new: Value) -> Bool? {
        switch areEqual(old, new) {
        case true: false
        case false where areEqual(old, old) == true || areEqual(new, new) == true: true
        default: nil
        }
    }

    /// Returns the result of `==`; nil for a type that has none.
    private func areEqual(_ left: Value, _ right: Value) -> Bool? {
        func compare<Comparand: Equatable>(_ left: Comparand) -> Bool { (right as? Comparand) == left }
        guard let left = left as? any Equatable else { return nil }
        return compare(left)
    }
}
