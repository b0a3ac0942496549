/// The background thread that looks at changes from outside the process and calls immediate handlers for them.
///
/// One thread serves all suites, in the order the work came. While a handler keeps it, another one serves what waits
/// behind it, so that a slow observer delays no other.
package final class Courier: Sendable {
    /// The one of this process.
    package static var shared: Courier { perProcess.object }
    private static let perProcess = PerProcess { Courier() }

    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var threads = 0
        var idle = 0
    }

    /// How many threads may be kept busy by handlers at once.
    private static let most = 16

    private let state = Locked(State())  // Lock L7: protects the list; nothing is taken or called under it.
    private let bell = Bell()
    private let fork = Fork.count

    /// Has these observers' mailboxes emptied soon.
    func deliver(_ subscriptions: [Subscription]) {
        for subscription in subscriptions { run { subscription.deliver() } }
    }

    /// Does a piece of work soon.
    package func run(_ work: @escaping @Sendable () -> Void) {
        let startsThread = state.withLock { state in
            state.waiting.append(work)
            // One that is idle takes one piece; it may not have woken for an earlier one yet.
            guard state.idle < state.waiting.count, state.threads < Courier.most else { return false }
            state.threads += 1
            return true
        }
        bell.ring()
        guard startsThread else { return }
        do {
            try BackgroundThread.start { [self] in serve() }
        } catch {
            // Without a thread to be had, the one that brought the work does it.
            state.withLock { $0.threads -= 1 }
            while let next = take() { next() }
        }
    }

    /// Serves until nothing has come for a while.
    private func serve() {
        // A handler may fork: the child's only thread then comes back to here, and the work is its parent's.
        while fork == Fork.count {
            while let next = take() { next() }
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

    private func take() -> (@Sendable () -> Void)? {
        guard fork == Fork.count else { return nil }
        let (next, isMore) = state.withLock { state in
            let next = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
            return (next, !state.waiting.isEmpty)
        }
        // The bell keeps one ring only, so whoever hears it passes it on.
        if isMore { bell.ring() }
        return next
    }
}
