import DefaultsStore
import Foundation
import TestSupport
import Testing
import TypedDefaults

/// Versions and declared keys.
@Suite(.timeLimit(.minutes(60)), .ownThread)
struct KeyHistoryTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
    }

    @Test func `a key has its history, is undone and redone`() throws {
        try suite.keepHistory(.versions(50, maximumBytes: 4 << 20))
        let volume = Defaults.Key<Double>("volume", default: 0.5, suite: suite)
        for value in [0.25, 0.75] {
            suite[volume] = value
            try suite.checkpoint()
        }
        #expect(try suite.history(of: volume).map(\.value) == [0.75, 0.25, nil])
        #expect(try suite.history(of: volume).map(\.isSet) == [true, true, false])
        #expect(try suite.undo(volume))
        #expect(suite[volume] == 0.25)
        #expect(try suite.undo(volume))
        #expect(suite[volume] == 0.5)
        #expect(try !suite.undo(volume))
        #expect(try suite.redo(volume))
        #expect(suite[volume] == 0.25)
    }

    @Test func `what a version has that its key cannot use any more is refused and nothing changes`() throws {
        try suite.keepHistory(.versions(50))
        try suite.set(7, forKey: "volume")
        try suite.checkpoint()
        let version = try #require(try suite.history().first)
        let volume = Defaults.Key<Double>("volume", default: 0.5, suite: suite, validation: .range(0...1))
        suite[volume] = 0.25
        let draft = try suite.draft(restoring: version)
        #expect(draft.problems.map(\.code) == [.invalidValue])
        #expect(throws: DefaultsError.self) { try draft.apply() }
        #expect(throws: DefaultsError.self) { try suite.undo(volume) }
        #expect(suite[volume] == 0.25)
    }

    @Test func `a validation that an undo asks holds no writer back`() throws {
        try suite.keepHistory(.versions(50))
        let path = folder.path + "/settings/.settings.json.lock"
        let wasFree = Recorder<Bool>()
        let volume = Defaults.Key<Double>(
            "volume", default: 0.5, suite: suite,
            validation: .where { _ in
                let file = FileHandle(forUpdatingAtPath: path)
                wasFree.append(file.map { flock($0.fileDescriptor, LOCK_EX | LOCK_NB) == 0 } ?? false)
                // A process that another test starts at this time has the file too.
                file.map { _ = flock($0.fileDescriptor, LOCK_UN) }
                return true
            })
        for value in [0.25, 0.75] {
            suite[volume] = value
            try suite.checkpoint()
        }
        let asked = wasFree.all.count
        #expect(try suite.undo(volume))
        #expect(wasFree.all.count > asked)
        #expect(!wasFree.all.dropFirst(asked).contains(false))
        #expect(suite[volume] == 0.25)
    }

    @Test func `secrets are kept only if that is meant, and no draft shows them`() throws {
        let token = Defaults.OptionalKey<String>("token", suite: suite, secret: true)
        #expect(suite[token] == nil)
        let refused = #expect(throws: DefaultsError.self) { try suite.keepHistory(.versions(5)) }
        #expect(refused?.code == .wouldStoreSecret && refused?.key == "token")
        #expect(try suite.history() == [])
        try suite.keepHistory(.versions(5), includingSecrets: true)
        try suite.set(token, to: "old")
        try suite.checkpoint()
        let version = try #require(try suite.history().first)
        try suite.set(token, to: "new")
        let draft = try suite.draft(restoring: version)
        #expect(draft.changes.map(\.description) == ["token: secret"])
        try draft.apply()
        #expect(suite[token] == "old")
    }
}
