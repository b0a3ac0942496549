/// A time on the monotonic clock, which nobody can set, after which waiting ends.
struct Deadline: Sendable {
    /// The time, in nanoseconds of ``SystemCalls/monotonicNanoseconds``.
    let nanoseconds: UInt64

    /// Returns the time that many milliseconds from now.
    static func after(milliseconds: UInt64) -> Deadline {
        Deadline(nanoseconds: SystemCalls.monotonicNanoseconds + milliseconds * 1_000_000)
    }

    /// A time that does not come while anybody waits: in three hundred years.
    static let never = Deadline(nanoseconds: .max / 2)

    /// Returns a later time.
    func later(byNanoseconds time: UInt64) -> Deadline { Deadline(nanoseconds: nanoseconds + time) }

    /// Whether it has come.
    var hasPassed: Bool { SystemCalls.monotonicNanoseconds >= nanoseconds }
}
