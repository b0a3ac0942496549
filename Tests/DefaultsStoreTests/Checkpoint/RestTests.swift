/// An app that is about to be suspended takes no lock that nobody has asked for.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct RestTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
    }

    /// The settings file as it is, without waiting for it to follow.
    private var file: String {
        get throws { try String(contentsOfFile: folder.settingsPath(), encoding: .utf8) }
    }

    private var journal: Data {
        get throws { try Data(contentsOf: URL(filePath: folder.path + "/settings/.settings.json.journal")) }
    }

    @Test func `at rest the file is up to date, the journal empty, the lock free and nothing due`() throws {
        try suite.set(1, forKey: "n")
        try suite.synchronizeAndRest()
        #expect(try file.contains(#""n": 1"#))
        let header = try journal
        #expect(header.count == 48)
        let store = try suite.context.store()
        #expect(store.checkpointer.isResting && !store.latest.values.isPending)
        // Another open file, to which this process's lock is somebody else's.
        let lock = try #require(FileHandle(forUpdatingAtPath: folder.path + "/settings/.settings.json.lock"))
        #expect(flock(lock.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
        // Later than the journal is restarted after a checkpoint, or a checkpoint follows a write.
        let gate = Gate()
        try EventLoop.shared.schedule(afterMilliseconds: 600, on: .fileSystem(0)) { gate.open() }
        gate.wait()
        #expect(try journal == header)
        #expect(store.checkpointer.currentSchedule.refusals == 0)
    }

    @Test func `what another process leaves waits until this one writes again`() throws {
        try suite.set(1, forKey: "n")
        try suite.synchronizeAndRest()
        let writer = try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints")
        try writer.expectOK("set m 2")
        #expect(try suite.storedValues() == ["n": 1, "m": 2])
        let checkpointer = try suite.context.store().checkpointer
        let refused = refusal {
            try checkpointer.checkpointWhatWaits(until: .after(milliseconds: 5_000), remakes: true)
        }
        #expect(refused?.code == .lockTimeout)
        #expect(try !file.contains("m"))
        try suite.set(3, forKey: "n")
        #expect(!checkpointer.isResting)
        #expect(try folder.read("settings/settings.json").contains(#""m": 2"#))
    }

    @Test func `neither is the journal restarted`() throws {
        try suite.set(1, forKey: "n")
        try suite.synchronizeAndRest()
        let checkpointer = try suite.context.store().checkpointer
        checkpointer.hold()
        let writer = try Peer.opening(in: folder, leavingOut: "restartsJournal")
        try writer.expectOK("set m 2")
        try writer.expectOK("checkpoint")
        #expect(try suite.storedValues() == ["n": 1, "m": 2])
        let noted = try journal
        let refused = refusal {
            try checkpointer.restartIdleJournal(until: .after(milliseconds: 5_000), isUnasked: true)
        }
        #expect(refused?.code == .lockTimeout)
        #expect(try journal == noted)
    }

    @Test func `a suite whose file cannot be read rests too, and follows when it can`() throws {
        try suite.set(1, forKey: "n")
        try suite.checkpoint()
        suite.onFailure = { _ in }
        try Data("{".utf8).write(to: URL(filePath: folder.settingsPath()))
        try suite.set(2, forKey: "n")
        #expect(refusal { try suite.synchronizeAndRest() }?.code == .malformedFile)
        let checkpointer = try suite.context.store().checkpointer
        #expect(checkpointer.isResting)
        try Data("{}".utf8).write(to: URL(filePath: folder.settingsPath()))
        try suite.set(3, forKey: "n")
        #expect(!checkpointer.isResting)
        #expect(try folder.read("settings/settings.json").contains(#""n": 3"#))
    }

    @Test func `a transaction does not rest before it is over`() throws {
        try suite.withTransaction { transaction in
            #expect(refusal { try suite.synchronizeAndRest() }?.code == .lockTimeout)
            try transaction.set(1, forKey: "n")
        }
        #expect(try !suite.context.store().checkpointer.isResting)
    }

    @Test func `a suite in memory has nothing to rest from`() throws {
        try DefaultsSuite.inMemory().synchronizeAndRest()
    }
}
