/// A save by hand that a program comes upon before any notice of it has.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread) struct UntoldSaveTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let key: Defaults.Key<Int>

    /// A program that listens, and has the key's value at hand.
    init() throws {
        folder = try TemporaryFolder()
        try folder.edit(#"{"n": 1}"#)
        suite = try folder.suite()
        key = Defaults.Key("n", default: 0, suite: suite)
        let store = try suite.context.store()
        for _ in 0..<100 where !store.isWatched { #expect(Defaults[key] == 1) }
        try #require(store.isWatched)
        #expect(Defaults[key] == 1)
    }

    /// Has nobody see to notices, and saves a file that is older than a moment.
    private func withUntoldSave(_ text: String, _ body: () throws -> Void) throws {
        let store = try suite.context.store()
        let work = store.monitor.work
        #expect(eventually { work.isIdle })
        work.begin()
        defer {
            if work.end() {
                WorkerPool.shared.run(on: store.resource) {
                    work.perform(by: .shared, on: store.resource)
                }
            }
        }
        let saved = folder.path + "/saved"
        try Data(text.utf8).write(to: URL(filePath: saved))
        let time = timespec(tv_sec: 1_000_000_000, tv_nsec: 1)
        try #require(utimensat(AT_FDCWD, saved, [time, time], 0) == 0)
        try #require(rename(saved, folder.settingsPath()) == 0)
        try body()
    }

    @Test(arguments: ["set", "transaction", "checkpoint"])
    func `who finds it without writing anything has the keys' values looked at again`(_ visit: String) throws
    {
        try withUntoldSave(#"{"n": 10}"#) {
            switch visit {
            case "set": try suite.set(10, forKey: "n")
            case "transaction": try suite.withTransaction { tx in #expect(tx[key] == 10) }
            default: try suite.checkpoint()
            }
            if visit != "checkpoint" { #expect(Defaults[key] == 10) }
        }
        #expect(eventually { Defaults[key] == 10 })
    }

    @Test func `what is computed in place is computed from what was saved`() throws {
        try withUntoldSave(#"{"n": 10}"#) {
            Defaults[key] += 1
            #expect(Defaults[key] == 11)
        }
        try suite.checkpoint()
        #expect(try folder.settings() == #"{"n": 11}"#)
    }
}
