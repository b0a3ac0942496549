/// Writes for tasks: they suspend where the others block, and are the same otherwise.
@testable import DefaultsStore
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct AsyncWritesTests {
    /// Where a suite lives; the promises are the same.
    enum Place: CaseIterable, Sendable { case file, memory }

    @TaskLocal private static var mark = 0

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A suite with `a` and no checkpoint that might be in the way.
    private func suite(_ place: Place = .file) throws -> DefaultsSuite {
        let suite = place == .file ? try folder.suite() : .inMemory()
        try suite.context.store().checkpointer.hold()
        try suite.set(1, forKey: "a")
        return suite
    }

    // MARK: Nothing in the way

    @Test(arguments: Place.allCases)
    func `where nothing is in the way, no write suspends its task`(_ place: Place) async throws {
        let suite = try suite(place)
        let executor = CountingExecutor()
        let jobs = try await withTaskExecutorPreference(executor) {
            try await jobsOfAllWrites(suite, on: executor)
        }
        #expect(jobs == 0)
        #expect(
            try suite.storedValues() == [
                "a": 2, "b": true, "c": 3, "d": 0.5, "e": "x", "f": 7, "sum": 5,
            ])
        try await suite.async.removeAll()
        #expect(try suite.storedValues() == [:])
    }

    /// - Returns: how many jobs the executor has run because of the writes.
    private nonisolated func jobsOfAllWrites(
        _ suite: DefaultsSuite, on executor: CountingExecutor
    ) async throws -> Int {
        let before = executor.jobs
        let writes = suite.async
        try await writes.set(2, forKey: "a")
        let (flag, whole, fraction, text) = (true, 3, 0.5, "x")
        try await writes.set(flag, forKey: "b")
        try await writes.set(whole, forKey: "c")
        try await writes.set(fraction, forKey: "d")
        try await writes.set(text, forKey: "e")
        try await writes.setUnchecked(7, forKey: "f")
        try await writes.set(8, forKey: "g")
        try await writes.removeValue(forKey: "g")
        let sum = try await writes.withTransaction { tx in
            let sum = (tx[key: "a"]?.int ?? 0) + (tx[key: "c"]?.int ?? 0)
            tx[key: "sum"] = .number(DefaultsNumber(sum))
            return sum
        }
        #expect(sum == 5)
        return executor.jobs - before
    }

    @Test func `a text is stored as the declared key reads it, and refused at once`() async throws {
        let suite = try suite()
        let refused = await refusal { try await suite.async.set(text: "1", forKey: "undeclared") }
        #expect(refused?.code == .unregisteredKey)
    }

    @Test func `what is wrong with a key is thrown although another writer has the lock`() async throws {
        let suite = try suite()
        let holder = Holder(suite)
        #expect(await refusal { try await suite.async.set(1, forKey: "") }?.code == .invalidKey)
        #expect(await refusal { try await suite.async.removeValue(forKey: "") }?.code == .invalidKey)
        holder.release()
    }

    // MARK: Waiting

    @Test(arguments: Place.allCases)
    func `a write that has to wait is stored when the lock is free`(_ place: Place) async throws {
        let suite = try suite(place)
        let holder = Holder(suite)
        let tasks = [
            Task { try await suite.async.set(2, forKey: "a") },
            Task { try await suite.async.set("x", forKey: "b") },
            Task {
                try await suite.async.withTransaction { tx in tx[key: "c"] = 3 }
            },
        ]
        try suite.waitForTasks(3)
        holder.release()
        for task in tasks { try await task.value }
        #expect(try suite.storedValues() == ["a": 2, "b": "x", "c": 3])
    }

    @Test func `tasks that wait write in the order in which they have called`() async throws {
        let suite = try suite()
        let heard = Recorder<DefaultsValue?>()
        let observation = suite.observe(forKey: "a", options: [.new]) { heard.append($0.newValue) }
        let holder = Holder(suite)
        var tasks: [Task<Void, any Error>] = []
        for number in 2..<102 {
            tasks.append(Task { try await suite.async.set(number, forKey: "a") })
            try suite.waitForTasks(number - 1)
        }
        holder.release()
        for task in tasks { try await task.value }
        #expect(heard.wait(for: 100))
        #expect(heard.all == (2..<102).map { .number(DefaultsNumber($0)) })
        observation.invalidate()
    }

    @Test(arguments: [false, true])
    func `a body that had to wait runs on another thread, and the task goes on where it was`(
        isOnActor: Bool
    ) async throws {
        let suite = try suite()
        let holder = Holder(suite)
        let place = Bystander()
        let task = Task {
            isOnActor
                ? try await place.threads(of: suite) : try await threadsOfTransaction(in: suite)
        }
        try suite.waitForTasks(1)
        holder.release()
        let (before, body, after) = try await task.value
        #expect(body != before)
        #expect(body != after)
        #expect(suite.integer(forKey: "ran") == 1)
    }

    @Test func `what is local to the task is there in a body that had to wait`() async throws {
        let suite = try suite()
        let holder = Holder(suite)
        let task = AsyncWritesTests.$mark.withValue(7) {
            Task {
                try await suite.async.withTransaction { tx in
                    tx[key: "mark"] = .number(DefaultsNumber(AsyncWritesTests.mark))
                    // A use of the suite inside joins the transaction, as it does on any other thread.
                    try suite.set(2, forKey: "a")
                    return tx[key: "a"]
                }
            }
        }
        try suite.waitForTasks(1)
        holder.release()
        #expect(try await task.value == 2)
        #expect(try suite.storedValues() == ["a": 2, "mark": 7])
    }

    @Test func `a write whose observers are not told is not told to them after a wait either`() async throws {
        let suite = try suite()
        let heard = Recorder<DefaultsValue?>()
        let observation = suite.observe(forKey: "a", options: [.new]) { heard.append($0.newValue) }
        let holder = Holder(suite)
        let task = Propagation.off { Task { try await suite.async.set(2, forKey: "a") } }
        try suite.waitForTasks(1)
        holder.release()
        try await task.value
        try suite.set(3, forKey: "a")
        #expect(heard.all == [3])
        observation.invalidate()
    }

    @Test func `a body's own error comes out, and nothing is stored`() async throws {
        let suite = try suite()
        let holder = Holder(suite)
        let task = Task {
            try await suite.async.withTransaction { tx throws(DefaultsError) in
                tx[key: "a"] = 2
                throw DefaultsError(.lockTimeout, key: "of the body")
            }
        }
        try suite.waitForTasks(1)
        holder.release()
        #expect(await refusal { try await task.value }?.key == "of the body")
        #expect(try suite.storedValues() == ["a": 1])
        #expect(
            await refusal {
                try await suite.async.withTransaction { _ throws(DefaultsError) in
                    throw DefaultsError(.lockTimeout, key: "of the body")
                }
            }?.key == "of the body")
    }

    @Test func `a handler that waits for another task's write is no obstacle to it`() async throws {
        let suite = try suite()
        let isWritten = TestSupport.Gate()
        let observation = suite.observe(forKey: "a", options: []) { _ in #expect(isWritten.wait()) }
        let holder = Holder(suite)
        let first = Task { try await suite.async.set(2, forKey: "a") }
        try suite.waitForTasks(1)
        let second = Task {
            try await suite.async.set(1, forKey: "b")
            isWritten.open()
        }
        try suite.waitForTasks(2)
        holder.release()
        try await first.value
        try await second.value
        #expect(try suite.storedValues() == ["a": 2, "b": 1])
        observation.invalidate()
    }

    // MARK: Giving up

    @Test(arguments: Place.allCases)
    func `a task that is cancelled before it calls stores nothing`(_ place: Place) async throws {
        let suite = try suite(place)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await suite.async.set(2, forKey: "a")
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try suite.storedValues() == ["a": 1])
    }

    @Test func `tasks that are cancelled while they wait end in their turn and store nothing`()
        async throws
    {
        let suite = try suite()
        let holder = Holder(suite)
        var tasks: [Task<Void, any Error>] = []
        for number in 1...4 {
            tasks.append(
                Task {
                    if number == 2 {
                        try await suite.async.withTransaction { tx in tx[key: "b"] = 2 }
                    } else {
                        try await suite.async.set(2, forKey: number == 4 ? "last" : "a")
                    }
                })
            try suite.waitForTasks(number)
        }
        // The one whose turn it is, and two that wait for theirs; the lock is held all the time.
        for task in tasks.prefix(3) { task.cancel() }
        for task in tasks.prefix(3) { await #expect(throws: CancellationError.self) { try await task.value } }
        holder.release()
        try await tasks[3].value
        #expect(try suite.storedValues() == ["a": 1, "last": 2])
    }

    @Test func `a body that has begun is not cancelled`() async throws {
        let suite = try suite()
        let holder = Holder(suite)
        let (entered, goes) = (TestSupport.Gate(), TestSupport.Gate())
        let task = Task {
            try await suite.async.withTransaction { tx in
                entered.open()
                #expect(goes.wait())
                tx[key: "a"] = 2
            }
        }
        try suite.waitForTasks(1)
        holder.release()
        #expect(await entered.wait())
        task.cancel()
        goes.open()
        try await task.value
        #expect(try suite.storedValues() == ["a": 2])
    }

    @Test func `a task whose turn comes after more than five seconds stores nothing`()
        async throws
    {
        let suite = try suite()
        let holder = Holder(suite)
        let goes = TestSupport.Gate()
        let first = Task {
            try await suite.async.withTransaction { tx in
                #expect(goes.wait())
                tx[key: "a"] = 2
            }
        }
        try suite.waitForTasks(1)
        let others = (0..<2).map { _ in Task { try await suite.async.set(3, forKey: "a") } }
        try suite.waitForTasks(3)
        let begin = ContinuousClock.now
        holder.release()
        // What is waited for is the time itself.
        #expect(eventually { ContinuousClock.now - begin > .seconds(5) })
        goes.open()
        for other in others {
            let error = await refusal { try await other.value }
            #expect(error?.code == .lockTimeout)
            #expect(error?.suite == suite.name)
        }
        try await first.value
        #expect(try suite.storedValues() == ["a": 2])
    }

    @Test func `threads and tasks that wait for one lock give up together`() async throws {
        let suite = try suite()
        let holder = Holder(suite)
        let begin = ContinuousClock.now
        let tasks = (0..<3).map { number in
            Task { await refusal { try await suite.async.set(2, forKey: "task \(number)") }?.code }
        }
        let codes = Recorder<DefaultsError.Code?>()
        withThreads(3) { number in
            codes.append(refusal { try suite.set(2, forKey: "thread \(number)") }?.code)
        }
        for task in tasks { codes.append(await task.value) }
        #expect(codes.all == Array(repeating: .lockTimeout, count: 6))
        // One after the other they would have waited for thirty.
        #expect(ContinuousClock.now - begin < .seconds(20))
        holder.release()
        #expect(try suite.storedValues() == ["a": 1])
    }

    // MARK: The disk

    @Test func `a checkpoint and a synchronisation do what the others do`() async throws {
        let suite = try suite()
        try await suite.async.synchronize()
        let isDurable = try suite.context.store().durability.isUpToDate
        #expect(isDurable)
        try await suite.async.checkpoint()
        #expect(try folder.bytes() == Array("{\n  \"a\": 1\n}\n".utf8))
        // And there is nothing to wait for any more.
        let executor = CountingExecutor()
        let jobs = try await withTaskExecutorPreference(executor) {
            try await jobsOfSynchronisation(suite, on: executor)
        }
        #expect(jobs == 0)
    }

    private nonisolated func jobsOfSynchronisation(
        _ suite: DefaultsSuite, on executor: CountingExecutor
    ) async throws -> Int {
        let before = executor.jobs
        try await suite.async.synchronize()
        return executor.jobs - before
    }

    @Test func `a checkpoint that is cancelled while it waits for a writer does nothing`() async throws {
        let suite = try suite()
        try suite.set(.string(String(repeating: "x", count: 100_000)), forKey: "long")
        let holder = Holder(suite)
        let store = try suite.context.store()
        let task = Task { try await suite.async.checkpoint() }
        #expect(eventually { store.writer.waitingThreads > 0 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        holder.release()
    }
}

extension DefaultsSuite {
    /// Waits until so many tasks wait for the locks, one of them on a thread.
    fileprivate func waitForTasks(_ count: Int) throws {
        let store = try context.store()
        let isSo = eventually { store.writer.waitingThreads == 1 && context.waitingTasks == count - 1 }
        try #require(isSo)
    }
}

/// A thread that has the locks of a suite until it is told to give them back.
private final class Holder: Sendable {
    private let (goes, ended) = (TestSupport.Gate(), TestSupport.Gate())

    init(_ suite: DefaultsSuite) {
        let entered = TestSupport.Gate()
        Thread.detachNewThread { [goes, ended] in
            let error = refusal {
                try suite.withTransaction { _ in
                    entered.open()
                    goes.wait()
                }
            }
            #expect(error == nil)
            ended.open()
        }
        #expect(entered.wait())
    }

    func release() {
        goes.open()
        #expect(ended.wait())
    }
}

/// A thread for tasks, and how many jobs it has been given.
private final class CountingExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "counting")
    private let count = Atomic<Int>(0)

    var jobs: Int { count.load(ordering: .acquiring) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        count.add(1, ordering: .acquiringAndReleasing)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

private actor Bystander {
    func threads(of suite: DefaultsSuite) async throws -> (UInt, UInt, UInt) {
        let before = SystemCalls.threadID
        let body = try await suite.async.withTransaction { tx in
            tx[key: "ran"] = 1
            return SystemCalls.threadID
        }
        return (before, body, SystemCalls.threadID)
    }
}

private func threadsOfTransaction(in suite: DefaultsSuite) async throws -> (UInt, UInt, UInt) {
    let before = SystemCalls.threadID
    let body = try await suite.async.withTransaction { tx in
        tx[key: "ran"] = 1
        return SystemCalls.threadID
    }
    return (before, body, SystemCalls.threadID)
}

/// The library's error that a body throws; nil for none.
private func refusal(_ body: () async throws -> Void) async -> DefaultsError? {
    do { try await body() } catch { return error as? DefaultsError }
    return nil
}
