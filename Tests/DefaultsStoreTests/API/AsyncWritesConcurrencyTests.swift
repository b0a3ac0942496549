/// Tasks and threads that write at the same time, some of them cancelled; CI runs this under the ThreadSanitizer too.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct AsyncWritesConcurrencyTests {
    @Test func `every change of tasks and threads counts once, and none of a cancelled task`() async throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        let done = Recorder<Void>()
        Thread.detachNewThread {
            withThreads(2) { _ in
                for _ in 0..<100 {
                    do { try add(1, to: "threads", in: suite) } catch { Issue.record(error) }
                }
            }
            done.append(())
        }
        let added = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<100 {
                group.addTask { try await changes(of: number, in: suite) }
            }
            return try await group.reduce(0, +)
        }
        #expect(await done.wait(for: 1))
        #expect(added >= 75)
        #expect(try suite.storedValues() == ["threads": 200, "tasks": .number(DefaultsNumber(added))])
    }

    @Test func `tasks that wait for the disk and are cancelled leave nothing behind`() async throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    try await suite.async.set(number, forKey: "key \(number)")
                    let task = Task {
                        if number % 4 == 1 {
                            try await suite.async.checkpoint()
                        } else {
                            try await suite.async.synchronize()
                        }
                    }
                    if number % 2 == 0 { task.cancel() }
                    do { try await task.value } catch is CancellationError {}
                }
            }
            try await group.waitForAll()
        }
        try await suite.async.synchronize()
        #expect(try suite.storedValues().count == 40)
    }
}

/// Adds to a number, in an own task that every fourth time is cancelled somewhere on its way.
///
/// - Returns: how much was added.
private func changes(of number: Int, in suite: DefaultsSuite) async throws -> Int {
    let task = Task {
        try await suite.async.withTransaction { tx in
            tx[key: "tasks"] = .number(DefaultsNumber((tx[key: "tasks"]?.int ?? 0) + 1))
        }
    }
    if number % 4 == 0 { task.cancel() }
    do { try await task.value } catch is CancellationError { return 0 }
    return 1
}

private func add(_ amount: Int, to key: String, in suite: DefaultsSuite) throws {
    try suite.withTransaction { tx in
        tx[key: key] = .number(DefaultsNumber((tx[key: key]?.int ?? 0) + amount))
    }
}
