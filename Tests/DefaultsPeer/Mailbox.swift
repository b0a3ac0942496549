import DefaultsStore
import Dispatch

/// A list that any thread may add to, and that another one waits on.
final class Mailbox<Element: Sendable>: Sendable {
    private let elements = Locked<[Element]>([])
    private let arrivals = DispatchSemaphore(value: 0)

    /// What has come and was not taken.
    var all: [Element] { elements.withLock { $0 } }

    /// Adds an element.
    func append(_ element: Element) {
        elements.withLock { $0.append(element) }
        arrivals.signal()
    }

    /// Takes the first so many elements; nil when they have not come within 25 seconds.
    func take(_ count: Int) -> [Element]? {
        let deadline = DispatchTime.now() + 25
        for _ in 0..<count {
            guard arrivals.wait(timeout: deadline) == .success else { return nil }
        }
        return elements.withLock { elements in
            defer { elements.removeFirst(count) }
            return Array(elements.prefix(count))
        }
    }
}
