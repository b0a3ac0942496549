/// Signals that waiting threads hear, one each; if no thread waits, one signal is kept.
// Unchecked is sound because what varies is only touched under the monitor's mutex.
final class Semaphore: @unchecked Sendable {
    private let monitor = Monitor()
    private var signals = 0
    private var waiting = 0

    /// Wakes one waiting thread, or lets the next one go on.
    func signal() {
        monitor.sync {
            signals = min(signals + 1, waiting + 1)
            monitor.wakeOne()
        }
    }

    /// Waits for a signal.
    ///
    /// - Returns: whether there was one before the deadline.
    func wait(until deadline: Deadline) -> Bool {
        monitor.sync {
            waiting += 1
            defer { waiting -= 1 }
            while signals == 0 {
                guard monitor.wait(until: deadline) || signals > 0 else { return false }
            }
            signals -= 1
            return true
        }
    }
}
