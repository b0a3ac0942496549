/// A moment on the clock that nobody can set, after which waiting ends.
struct Deadline: Sendable {
    /// The moment, in nanoseconds of ``SystemCalls/monotonicNanoseconds``.
    let nanoseconds: UInt64

    /// The moment so many milliseconds from now.
    static func after(milliseconds: UInt64) -> Deadline {
        Deadline(nanoseconds: SystemCalls.monotonicNanoseconds + milliseconds * 1_000_000)
    }

    /// A moment that does not come while anybody waits: in three hundred years.
    static let never = Deadline(nanoseconds: .max / 2)

    /// A later moment.
    func later(byNanoseconds time: UInt64) -> Deadline { Deadline(nanoseconds: nanoseconds + time) }

    /// Whether it has come.
    var hasPassed: Bool { SystemCalls.monotonicNanoseconds >= nanoseconds }
}
