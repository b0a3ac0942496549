import DefaultsStore
import Foundation
import TestSupport
import Testing
import TypedDefaults

/// An access in place that is held across an `await`.
@Suite(.ownThread) struct SuspendedAccessTests {
    @Test(arguments: Place.allCases)
    func `a mutating async call is written, reported and gives its lock back`(_ place: Place) async throws {
        let folder = try TemporaryFolder()
        let suite = place == .memory ? DefaultsSuite.inMemory() : try folder.suite()
        let failures = FailureRecorder(suite)
        let counter = Defaults.Key<Counter>("counter", default: Counter(), suite: suite)
        await Task(executorPreference: AlternatingThreads()) { await Defaults[counter].addAfterSuspending() }
            .value
        #expect(Defaults[counter] == Counter(count: 1))
        #expect(failures.all == [DefaultsError(.accessAcrossAwait, suite: suite.name, path: suite.path)])
        await onAnotherThread { Defaults[counter].count += 1 }
        #expect(Defaults[counter] == Counter(count: 2))
    }
}

/// A value that is changed across a suspension.
private struct Counter: Codable, Hashable, Sendable {
    var count = 0

    /// Adds one when it has come to another thread.
    mutating func addAfterSuspending() async {
        let first = threadIdentity()
        while threadIdentity() == first { await Task.yield() }
        count += 1
    }
}

private func threadIdentity() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }

private func onAnotherThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            body()
            continuation.resume()
        }
    }
}

/// Runs a task's parts on two threads in turn, so that what comes after a suspension is on another thread.
// Unchecked is sound because `isOdd` is only touched with the lock held.
private final class AlternatingThreads: TaskExecutor, @unchecked Sendable {
    private let threads = [JobThread(), JobThread()]
    private let lock = NSLock()
    private var isOdd = false

    deinit { threads.forEach { $0.end() } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lock.withLock {
            isOdd.toggle()
            threads[isOdd ? 1 : 0].run { [executor = asUnownedTaskExecutor()] in
                job.runSynchronously(on: executor)
            }
        }
    }
}

/// A thread that runs what it is given, in order.
// Unchecked is sound because `waiting` and `isOver` are only touched with the condition locked.
private final class JobThread: @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting: [@Sendable () -> Void] = []
    private var isOver = false

    init() { Thread.detachNewThread { self.work() } }

    func run(_ job: @escaping @Sendable () -> Void) {
        condition.withLock {
            waiting.append(job)
            condition.signal()
        }
    }

    func end() {
        condition.withLock {
            isOver = true
            condition.signal()
        }
    }

    private func work() {
        while let job = next() { job() }
    }

    private func next() -> (@Sendable () -> Void)? {
        condition.withLock {
            while waiting.isEmpty, !isOver { condition.wait() }
            return waiting.isEmpty ? nil : waiting.removeFirst()
        }
    }
}
