/// The background threads: they load changes from outside the process and call immediate handlers for them.
///
/// One of them is the housekeeping thread; one more serves all suites, in the order in which the work arrived. While
/// a handler occupies it, another thread serves what waits behind it, so that a slow observer delays no other.
package final class Courier: Sendable {
    /// The instance of this process.
    package static var shared: Courier { perProcess.object }
    private static let perProcess = PerProcess { Courier() }

    private struct State {
        var waiting: [@Sendable () -> Void] = []
        /// What an idle thread has been reserved for; no other thread may do it.
        var handedOver: [@Sendable () -> Void] = []
        var threads = 0
        var idle = 0
    }

    /// How many threads handlers may occupy at once.
    private static let most = 16

    private let state = Locked(State())  // Lock L7: protects the list; nothing is taken or called under it.
    private let bell = Bell()
    private let fork = Fork.count

    /// Has a piece of work done soon.
    package func run(_ work: @escaping @Sendable () -> Void) {
        let startsThread = state.withLock { state in
            state.waiting.append(work)
            // An idle thread takes one piece; it may not have woken for an earlier one yet.
            let wanted = state.waiting.count + state.handedOver.count
            guard state.idle < wanted, state.threads < Courier.most else { return false }
            state.threads += 1
            return true
        }
        bell.ring()
        guard startsThread else { return }
        do { try start() } catch {
            // If no thread can be had, the thread that brought the work does it.
            while let next = take(isOwnThread: false) { next() }
        }
    }

    /// Has a piece of work done at once by a thread that does nothing else, an idle one or a new one.
    ///
    /// - Returns: false if there is none to be had; the work is not done then.
    func handOver(_ work: @escaping @Sendable () -> Void) -> Bool {
        let isIdle = state.withLock { state -> Bool? in
            if state.idle > state.waiting.count + state.handedOver.count {
                state.handedOver.append(work)
                return true
            }
            guard state.threads < Courier.most else { return nil }
            state.threads += 1
            return false
        }
        switch isIdle {
        case true?:
            bell.ring()
            return true
        case false?:
            do { try start(with: work) } catch { return false }
            return true
        case nil: return false
        }
    }

    /// Starts a thread for a piece of work, which serves other work afterwards.
    func startThread(with work: @escaping @Sendable () -> Void) throws(SystemError) {
        state.withLock { $0.threads += 1 }
        try start(with: work)
    }

    /// Starts a thread that is counted already.
    private func start(with first: (@Sendable () -> Void)? = nil) throws(SystemError) {
        do {
            try BackgroundThread.start { [self] in
                first?()
                serve()
            }
        } catch {
            state.withLock { $0.threads -= 1 }
            throw error
        }
    }

    /// Serves until nothing has arrived for a while; one thread stays, because the next change should not wait for a
    /// new one.
    private func serve() {
        // A handler may fork: the child's only thread then returns to here, and the work is its parent's.
        while fork == Fork.count {
            while let next = take(isOwnThread: true) { next() }
            let stays = state.withLock { state in
                state.idle += 1
                return state.idle == 1
            }
            let rang = bell.wait(until: stays ? .never : .after(milliseconds: 2_000))
            let ends = state.withLock { state in
                state.idle -= 1
                guard !rang, state.waiting.isEmpty, state.handedOver.isEmpty, state.idle > 0 else {
                    return false
                }
                state.threads -= 1
                return true
            }
            if ends { return }
        }
    }

    private func take(isOwnThread: Bool) -> (@Sendable () -> Void)? {
        guard fork == Fork.count else { return nil }
        let (next, isMore) = state.withLock { state -> ((@Sendable () -> Void)?, Bool) in
            if isOwnThread, !state.handedOver.isEmpty {
                let next = state.handedOver.removeFirst()
                return (next, !state.handedOver.isEmpty || !state.waiting.isEmpty)
            }
            let next = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
            return (next, !state.waiting.isEmpty || !state.handedOver.isEmpty)
        }
        // The bell keeps only one ring, so the thread that hears it passes it on.
        if isMore { bell.ring() }
        return next
    }
}
