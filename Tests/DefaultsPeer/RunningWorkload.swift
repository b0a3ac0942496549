import DefaultsStore
import TypedDefaults

/// The threads of a workload at work, and the observers beside them.
final class RunningWorkload: Sendable {
    /// What the other threads have to know.
    private struct Progress {
        var done = 0
        var awaited = Int.max
        var running: Int
        var isToEnd = false
        var failure: String?
    }

    /// A thread could not write its notes, or met an error that is not the library's.
    struct Failed: Error {
        let description: String
    }

    private let suite: DefaultsSuite
    private let progress: Locked<Progress>
    /// Something arrives when as much is done as is awaited, and when a thread ends.
    private let news = Mailbox<Void>()
    private let listeners: [Listener]

    /// Begins.
    init(_ workload: Workload, on suite: DefaultsSuite) throws {
        self.suite = suite
        progress = Locked(Progress(running: workload.threads))
        listeners = try workload.keys.map { try Listener($0, notes: "\(workload.notes).o.\($0)", in: suite) }
        for thread in 0..<workload.threads {
            let worker = try Worker(workload, thread: thread, suite: suite)
            try startThread { [self] in work(worker, workload.operations) }
        }
    }

    private func work(_ worker: Worker, _ count: Int) {
        var (worker, failure) = (worker, String?.none)
        do {
            for _ in 0..<count where !isToEnd {
                try worker.step()
                countOne()
            }
        } catch { failure = "\(error)" }
        progress.withLock { progress in
            progress.running -= 1
            progress.failure = progress.failure ?? failure
        }
        news.append(())
    }

    private var isToEnd: Bool { progress.withLock { $0.isToEnd } }

    private func countOne() {
        let isAwaited = progress.withLock { progress in
            progress.done += 1
            return progress.done == progress.awaited
        }
        if isAwaited { news.append(()) }
    }

    /// Waits until so many operations more than by now are done, or all threads have ended.
    func go(on count: Int) throws -> Int {
        progress.withLock { $0.awaited = $0.done + count }
        return try wait { $0.done >= $0.awaited }
    }

    /// Lets the threads end and waits for it; answers how many operations they did.
    func end() throws -> Int {
        progress.withLock { $0.isToEnd = true }
        return try join()
    }

    /// Waits until the threads have done all they have to; answers how many operations that was.
    func join() throws -> Int { try wait { _ in false } }

    /// Waits until each observer was told the present value last; nobody may write any more.
    func hearAll() throws {
        for listener in listeners { try listener.wait(for: suite.value(forKey: listener.key)) }
    }

    private func wait(until isEnough: (Progress) -> Bool) throws -> Int {
        var before = -1
        while true {
            let (now, isOver) = progress.withLock { ($0, $0.running == 0 || isEnough($0)) }
            if let failure = now.failure { throw Failed(description: failure) }
            if isOver { return now.done }
            guard news.take(1) != nil || now.done > before else {
                throw Failed(description: "the threads do not get on")
            }
            before = now.done
        }
    }
}
