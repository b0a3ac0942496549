import Synchronization

/// How long a process that has waited for the writer's lock may take it again and again although others wait.
///
/// Handing the lock over takes as long as several sets: the next process has to wake up, and nobody works meanwhile.
/// So processes that write without pause take turns. A process that has not waited has no turn: one that writes all
/// day lets the first other one go before it.
struct WriterTurn: ~Copyable, Sendable {
    /// In nanoseconds; a waiting process endures as many turns as there are others.
    static let length: UInt64 = 3_000_000

    private let end = Atomic<UInt64>(0)

    /// Whether it is this process's turn.
    ///
    /// By the clock and not by a count, because what is done under the lock may take long.
    var isOn: Bool {
        let end = end.load(ordering: .relaxed)
        return end != 0 && SystemCalls.monotonicNanoseconds < end
    }

    /// Whether there has been a turn: then this is not the first time that the process had to wait.
    var hasBegun: Bool { end.load(ordering: .relaxed) != 0 }

    /// Begins a turn, after the process has waited for the lock and taken it.
    func begin() { end.store(SystemCalls.monotonicNanoseconds + WriterTurn.length, ordering: .relaxed) }
}
