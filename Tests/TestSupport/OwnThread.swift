import Foundation
import DefaultsStore
package import Testing

/// Runs each test of a suite on a thread of its own, five at a time.
///
/// A test that blocks, for another process or a lock's deadline, would otherwise keep one of the few threads that all
/// tests share, and a test that needs one for its tasks would wait for it in vain.
package struct OwnThread: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        await Turnstile.shared.enter()
        defer { Turnstile.shared.leave() }
        let executor = ThreadExecutor()
        defer { executor.end() }
        try await withTaskExecutorPreference(executor) { try await function() }
    }
}

extension Trait where Self == OwnThread {
    /// Each test on a thread of its own, for suites whose tests block.
    package static var ownThread: OwnThread { OwnThread() }
}

/// Lets a few tests in at a time; the others wait without keeping a thread.
private final class Turnstile: Sendable {
    static let shared = Turnstile()

    private struct State {
        var free = 5
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    func enter() async {
        await withCheckedContinuation { continuation in
            let passes = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if passes { continuation.resume() }
        }
    }

    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}

/// One thread that runs the jobs of one test.
// Unchecked is sound because `jobs` and `isOver` are only touched while `condition` is locked.
private final class ThreadExecutor: TaskExecutor, @unchecked Sendable {
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private var isOver = false

    init() {
        Thread.detachNewThread { [self] in
            while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock {
            jobs.append(job)
            condition.signal()
        }
    }

    /// Lets the thread end when it has run what is there.
    func end() {
        condition.withLock {
            isOver = true
            condition.signal()
        }
    }

    private func next() -> UnownedJob? {
        condition.withLock {
            while jobs.isEmpty, !isOver { condition.wait() }
            return jobs.isEmpty ? nil : jobs.removeFirst()
        }
    }
}
