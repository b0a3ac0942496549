/// A time on the monotonic clock, which nobody can set, after which waiting ends.
package struct Deadline: Sendable {
    /// The time, in nanoseconds of ``SystemCalls/monotonicNanoseconds``.
    let nanoseconds: UInt64
    /// The call of the current task that waits; nil for a thread.
    ///
    /// If the task is cancelled, the time has come.
    let call: AsyncCall?

    init(nanoseconds: UInt64, for call: AsyncCall? = nil) {
        self.nanoseconds = nanoseconds
        self.call = call
    }

    func of(_ call: AsyncCall) -> Deadline { Deadline(nanoseconds: nanoseconds, for: call) }

    package static func after(milliseconds: UInt64) -> Deadline {
        Deadline(nanoseconds: SystemCalls.monotonicNanoseconds + milliseconds * 1_000_000)
    }

    /// Never, for practical purposes.
    static let never = Deadline(nanoseconds: .max / 2)

    func later(byNanoseconds time: UInt64) -> Deadline {
        Deadline(nanoseconds: nanoseconds + time, for: call)
    }

    /// The earlier of this deadline and that many milliseconds from now.
    func within(milliseconds: UInt64) -> Deadline {
        let other = Deadline.after(milliseconds: milliseconds)
        return Deadline(nanoseconds: min(nanoseconds, other.nanoseconds), for: call)
    }

    package var hasPassed: Bool {
        SystemCalls.monotonicNanoseconds >= nanoseconds || call != nil && Task.isCancelled
    }
}
