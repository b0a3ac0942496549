import Synchronization

/// The background thread that calls immediate handlers for changes from outside the process.
///
/// One thread serves all suites, in the order the changes came. While a handler keeps it, a second one serves the
/// observers behind it, so that a slow observer delays no other.
final class Courier: Sendable {
    /// The one of this process.
    static let shared = Courier()

    private struct State {
        var waiting: [Subscription] = []
        var threads = 0
        var idle = 0
    }

    /// How many threads may be kept busy by handlers at once.
    private static let most = 16

    private let state = Mutex(State())  // Lock L6: protects the list; nothing is taken or called under it.
    private let bell = Bell()

    /// Has these observers' mailboxes emptied soon.
    func deliver(_ subscriptions: [Subscription]) {
        guard !subscriptions.isEmpty else { return }
        let startsThread = state.withLock { state in
            state.waiting += subscriptions
            guard state.idle < state.waiting.count, state.idle == 0, state.threads < Courier.most else { return false }
            state.threads += 1
            return true
        }
        bell.ring()
        guard startsThread else { return }
        do {
            try BackgroundThread.start { [self] in work() }
        } catch {
            // Without a thread to be had, the one that brought the change serves.
            state.withLock { $0.threads -= 1 }
            while let next = take() { next.deliver() }
        }
    }

    /// Serves until nothing has come for a while.
    private func work() {
        while true {
            while let next = take() { next.deliver() }
            state.withLock { $0.idle += 1 }
            let rang = bell.wait(milliseconds: 2_000)
            let ends = state.withLock { state in
                state.idle -= 1
                guard !rang, state.waiting.isEmpty else { return false }
                state.threads -= 1
                return true
            }
            if ends { return }
        }
    }

    private func take() -> Subscription? {
        state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    }
}
