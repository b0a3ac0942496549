/// Waiting for the disk keeps nobody waiting who could be waited for.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct DurabilityTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        try suite.holdCheckpoints()
        try suite.set(1, forKey: "n")
    }

    /// Saves a settings file that is reported, while a write still waits in the journal.
    private func save(twice key: String) {
        let text = #"{"\#(key)": 1, "\#(key)": 2}"#
        do {
            try Data(text.utf8).write(to: URL(filePath: folder.settingsPath()), options: .atomic)
        } catch { Issue.record(error) }
    }

    @Test func `who is told of a failure that synchronize meets may synchronize, too`() throws {
        let (told, answers) = (Recorder<DefaultsError>(), Recorder<DefaultsError.Code?>())
        suite.onFailure = { [self] error in
            told.append(error)
            if told.all.count == 1 {
                // The next load finds something else to tell.
                save(twice: "b")
            } else {
                answers.append(refusal { try suite.synchronize() }?.code)
            }
        }
        save(twice: "a")
        try suite.synchronize()
        #expect(suite.value(forKey: "b") == 2)
        #expect(answers.wait(for: 1))
        #expect(answers.all == [nil])
        suite.onFailure = nil
    }

    @Test func `so may who is told of one that a task's wait for the disk meets, in a task`() async throws {
        let (told, answers) = (Recorder<DefaultsError>(), Recorder<DefaultsError.Code?>())
        suite.onFailure = { [self] error in
            told.append(error)
            guard told.all.count > 1 else { return save(twice: "b") }
            // There is something to wait for, so that this task needs its turn.
            if let error = refusal({ try suite.set(2, forKey: "n") }) { return answers.append(error.code) }
            Task.detached { [suite] in
                do throws(any Error) {
                    try await suite.async.synchronize()
                    answers.append(nil)
                } catch { answers.append((error as? DefaultsError)?.code ?? .ioFailure) }
            }
            #expect(answers.wait(for: 1))
        }
        save(twice: "a")
        try await suite.async.synchronize()
        #expect(await answers.wait(for: 1))
        #expect(answers.all == [nil])
        suite.onFailure = nil
    }

    @Test func `in the caller's own transaction it is refused at once, and works behind it`() throws {
        let inside = try suite.withTransaction { tx in
            tx[key: "n"] = 2
            return refusal { try suite.synchronize() }
        }
        #expect(inside?.code == .lockTimeout)
        #expect(inside?.underlyingDescription?.contains("inside a transaction") == true)
        try suite.synchronize()
    }

    @Test func `so it is in a validation, and so are the others that would wait for the commit`() throws {
        let reasons = Recorder<String?>()
        let me = SystemCalls.threadID
        suite.addValidation("validation") { [weak suite] _ in
            // In the background it is asked with no lock held.
            guard let suite, SystemCalls.threadID == me else { return true }
            reasons.append(refusal { try suite.synchronize() }?.underlyingDescription)
            reasons.append(refusal { try suite.checkpoint() }?.underlyingDescription)
            reasons.append(refusal { _ = try suite.repairFiles() }?.underlyingDescription)
            return true
        }
        reasons.removeAll()
        try suite.set(2, forKey: "n")
        // Not that the wait was in vain.
        let reason =
            "it is called inside a transaction or a validation of the same suite, which keeps the lock until it is over"
        #expect(reasons.all.prefix(3) == [reason, reason, reason])
    }
}
