import Glibc
import DefaultsStore

/// A list that any thread may add to, and that another one waits on.
// Unchecked is sound because the list is under the mutex, and the semaphore keeps its address for life.
final class Mailbox<Element: Sendable>: @unchecked Sendable {
    private let elements = Locked<[Element]>([])
    private let arrivals = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(arrivals, 0, 0) }

    deinit {
        sem_destroy(arrivals)
        arrivals.deallocate()
    }

    /// What has come and was not taken.
    var all: [Element] { elements.withLock { $0 } }

    /// Adds an element.
    func append(_ element: Element) {
        elements.withLock { $0.append(element) }
        sem_post(arrivals)
    }

    /// Takes the first so many elements; nil when they have not come within 25 seconds.
    func take(_ count: Int) -> [Element]? {
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_sec += 25
        for _ in 0..<count {
            while sem_timedwait(arrivals, &deadline) != 0 {
                guard errno == EINTR else { return nil }
            }
        }
        return elements.withLock { elements in
            defer { elements.removeFirst(count) }
            return Array(elements.prefix(count))
        }
    }
}
