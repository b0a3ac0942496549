import Foundation

/// A door that stays shut until somebody opens it: puts the steps of several threads in order.
// Unchecked is sound because `isOpen` is only touched with the condition locked.
package final class Gate: @unchecked Sendable {
    private let condition = NSCondition()
    private var isOpen = false

    /// Makes a shut gate.
    package init() {}

    /// Lets everybody through, now and later.
    package func open() {
        condition.lock()
        isOpen = true
        condition.broadcast()
        condition.unlock()
    }

    /// Waits until the gate is open.
    ///
    /// - Returns: whether it was opened in time.
    @discardableResult
    package func wait(within limit: Duration = .seconds(120)) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let deadline = Date(timeIntervalSinceNow: limit / .seconds(1))
        while !isOpen {
            guard condition.wait(until: deadline) else { return isOpen }
        }
        return true
    }

    /// The same without keeping a thread of the caller's task waiting.
    @discardableResult
    package func wait(within limit: Duration = .seconds(120)) async -> Bool {
        await onThread { self.wait(within: limit) }
    }
}
