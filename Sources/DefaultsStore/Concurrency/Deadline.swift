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

    /// The same time, for a call of the current task.
    func of(_ call: AsyncCall) -> Deadline { Deadline(nanoseconds: nanoseconds, for: call) }

    /// Returns the time that many milliseconds from now.
    package static func after(milliseconds: UInt64) -> Deadline {
        Deadline(nanoseconds: SystemCalls.monotonicNanoseconds + milliseconds * 1_000_000)
    }

    /// A time that does not come while anybody waits: in three hundred years.
    static let never = Deadline(nanoseconds: .max / 2)

    /// Returns a later time.
    func later(byNanoseconds time: UInt64) -> Deadline {
        Deadline(nanoseconds: nanoseconds + time, for: call)
    }

    /// Returns the time that many milliseconds from now, or this one if it comes before.
    func within(milliseconds: UInt64) -> Deadline {
        let other = Deadline.after(milliseconds: milliseconds)
        return Deadline(nanoseconds: min(nanoseconds, other.nanoseconds), for: call)
    }

    /// Whether it has come.
    package var hasPassed: Bool {
        SystemCalls.monotonicNanoseconds >= nanoseconds || call != nil && Task.isCancelled
    }
}
