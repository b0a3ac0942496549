import DefaultsStore
import TypedDefaults

/// The value that a watch received last, so that its changes form a chain.
final class WatchedValue<Value: Sendable>: Sendable {
    private let last: Locked<Value>  // A leaf; nothing is called under it.

    private let deliversInitial: Bool
    /// The reads that the value depends on.
    private let reads: [ReadRecorder.Read]

    /// Creates a chain that starts with a value.
    ///
    /// - Parameters:
    ///   - reads: the reads that the value depends on.
    ///   - deliversInitial: whether the initial event is delivered as such; otherwise it only carries the
    ///     changes since the value was read.
    init(_ value: Value, of reads: [ReadRecorder.Read], deliversInitial: Bool) {
        last = Locked(value)
        self.reads = reads
        self.deliversInitial = deliversInitial
    }

    /// The change that a notice makes; nil if the value equals the last one.
    func step(to value: Value, _ notice: ChangeNotice) -> Defaults.KeyChange<Value>? {
        let old = last.exchange(value)
        let isInitial = notice.isInitial && deliversInitial
        // If that is unknown, the initial event is not delivered.
        guard isInitial || isChange(from: old, to: value) ?? !notice.isInitial else { return nil }
        return Defaults.KeyChange(
            oldValue: isInitial ? value : old, newValue: value, isInitial: isInitial, cause: notice.cause,
            isSecret: reads.contains { $0.context.isSecret($0.key) })
    }

    /// Whether two values differ; nil if that is unknown.
    ///
    /// The type may have no `==`, or neither value equals itself, as NaN.
    private func isChange(from old: Value, to new: Value) -> Bool? {
        switch areEqual(old, new) {
        case true: false
        case false where areEqual(old, old) == true || areEqual(new, new) == true: true
        default: nil
        }
    }

    /// Nil for a type without `==`.
    private func areEqual(_ left: Value, _ right: Value) -> Bool? {
        func compare<Comparand: Equatable>(_ left: Comparand) -> Bool { (right as? Comparand) == left }
        guard let left = left as? any Equatable else { return nil }
        return compare(left)
    }
}
