/// A bell that one thread rings and one waiting thread hears; if no thread is waiting, one ring is kept.
final class Bell: Sendable {
    private let gate = Gate()

    init() { _ = gate.close(until: .after(milliseconds: 0)) }

    /// Wakes one waiting thread, or lets the next one pass.
    func ring() { gate.open() }

    /// Waits for a ring.
    ///
    /// - Returns: whether there was one before the deadline.
    func wait(until deadline: Deadline) -> Bool { gate.close(until: deadline) }
}
