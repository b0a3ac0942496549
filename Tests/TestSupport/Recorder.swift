import Foundation

/// A list that any thread may add to and a test waits on.
// Unchecked is sound because `elements` is only touched with the condition locked.
package final class Recorder<Element: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var elements: [Element] = []

    /// Makes an empty list.
    package init() {}

    /// What has come so far, in order.
    package var all: [Element] {
        condition.lock()
        defer { condition.unlock() }
        return elements
    }

    /// Lets go of everything recorded; what that releases goes with no lock held.
    package func removeAll() {
        condition.lock()
        let released = elements
        elements = []
        condition.unlock()
        withExtendedLifetime(released) {}
    }

    /// Adds one element.
    package func append(_ element: Element) {
        condition.lock()
        elements.append(element)
        condition.broadcast()
        condition.unlock()
    }

    /// Waits until at least so many elements have come.
    ///
    /// - Returns: whether they came in time.
    package func wait(for count: Int, within limit: Duration = .seconds(120)) -> Bool {
        wait(within: limit) { $0.count >= count }
    }

    /// Waits until the elements are as the test wants them; asked with the list locked, so without touching it.
    ///
    /// - Returns: whether they became so in time.
    package func wait(within limit: Duration = .seconds(120), until isEnough: ([Element]) -> Bool) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let deadline = Date(timeIntervalSinceNow: limit / .seconds(1))
        while !isEnough(elements) {
            guard condition.wait(until: deadline) else { return isEnough(elements) }
        }
        return true
    }

    /// The same as the waiting by count, without keeping a thread of the caller's task waiting.
    package func wait(for count: Int, within limit: Duration = .seconds(120)) async -> Bool {
        await onThread { self.wait(for: count, within: limit) }
    }

    /// The same as the waiting by condition, without keeping a thread of the caller's task waiting.
    package func wait(
        within limit: Duration = .seconds(120), until isEnough: @escaping @Sendable ([Element]) -> Bool
    ) async -> Bool {
        await onThread { self.wait(within: limit, until: isEnough) }
    }
}
