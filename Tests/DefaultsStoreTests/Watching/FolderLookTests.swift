/// One look at the folder in place of one at each name, and that nothing is missed by it.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

/// Whether temporary files are on a file system whose folders are asked.
private func foldersTell() throws -> Bool {
    let folder = try TemporaryFolder()
    let open = try SystemCalls.openDirectory(folder.path)
    return try SystemCalls.fileSystem(of: open).tellsChanges
        && SystemCalls.changes(ofFolder: folder.path) != nil
}

@Suite(
    .timeLimit(.minutes(60)), .ownThread,
    .enabled("temporary files are where folders tell of their changes") { try foldersTell() })
struct FolderLookTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let store: SettingsStore

    init() throws {
        folder = try TemporaryFolder()
        // Before the first write, so that no timer begins a checkpoint, which would change the folder.
        suite = try folder.heldSuite()
        store = try suite.context.store()
        try suite.set(0, forKey: "a")
        try suite.checkpoint()
        // Or every write would look at the files, as every read does.
        try suite.context.startWatching()
    }

    private static let steps = ["flock", "stat", "fstat", "pwrite", "pwrite", "flock"]

    private func calls(_ body: () throws -> Void) rethrows -> [String] {
        let plan = FaultInjection()
        try FaultInjection.$current.withValue(plan, operation: body)
        return plan.callsUnderLock
    }

    /// Sets until the folder has rested long enough for one look to do.
    private func completeAbandonedCommit() throws {
        let deadline = ContinuousClock.now + .seconds(60)
        var made: [String] = []
        repeat {
            made = try calls { try suite.set(.random, forKey: "a") }
        } while made != Self.steps && ContinuousClock.now < deadline
        #expect(made == Self.steps)
    }

    private func path(_ name: String) -> String { folder.path + "/settings/" + name }

    private func checkStored(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let expected: [String: DefaultsValue] = ["a": -1, "b": -2]
        #expect(try suite.storedValues() == expected, sourceLocation: sourceLocation)
        try suite.checkpoint()
        let found = try folder.foreignReading()
        #expect(found == ["a": -1, "b": -2], sourceLocation: sourceLocation)
    }

    @Test func `a folder in which nothing happens is looked at in place of two names`() throws {
        try completeAbandonedCommit()
        for _ in 0..<100 {
            let made = try calls { try suite.set(.random, forKey: "a") }
            #expect(made == Self.steps)
        }
    }

    /// What a person does to the files while nothing else happens.
    enum Deed: String, CaseIterable {
        case removesJournal, movesJournal, replacesJournal, movesJournalAndBack
        case removesLock, movesLock, replacesLock
        case movesFolder, removesFolder, addsFile
    }

    private func act(_ deed: Deed) throws {
        let (journal, lock) = (path(".settings.json.journal"), path(".settings.json.lock"))
        let files = FileManager.default
        switch deed {
        case .removesJournal: try files.removeItem(atPath: journal)
        case .movesJournal: try files.moveItem(atPath: journal, toPath: path("kept"))
        case .replacesJournal:
            try files.copyItem(atPath: journal, toPath: path("other"))
            #expect(rename(path("other"), journal) == 0)
        case .movesJournalAndBack:
            try files.moveItem(atPath: journal, toPath: path("kept"))
            try files.moveItem(atPath: path("kept"), toPath: journal)
        case .removesLock: try files.removeItem(atPath: lock)
        case .movesLock: try files.moveItem(atPath: lock, toPath: path("kept"))
        case .replacesLock:
            try files.copyItem(atPath: lock, toPath: path("other"))
            #expect(rename(path("other"), lock) == 0)
        case .movesFolder: try files.moveItem(atPath: path(""), toPath: folder.path + "/elsewhere")
        case .removesFolder: try files.removeItem(atPath: path(""))
        case .addsFile: try Data().write(to: URL(filePath: path("other")))
        }
    }

    @Test(arguments: Deed.allCases)
    func `whatever is done to a name, the next write looks at the names`(_ deed: Deed) throws {
        try completeAbandonedCommit()
        try suite.set(-1, forKey: "a")
        try act(deed)
        let made = try calls { try suite.set(-2, forKey: "b") }
        #expect(made.contains("lstat"))
        if deed == .movesFolder || deed == .removesFolder {
            // Without its folder nothing of it counts, but for what is written now.
            try suite.set(-1, forKey: "a")
        }
        try checkStored()
    }

    /// The kernel's clock ticks, and two changes may have one time.
    @Test(arguments: [Deed.removesJournal, .movesJournalAndBack, .addsFile, .replacesLock])
    func `what follows another change at once is not missed`(_ deed: Deed) throws {
        try suite.set(-2, forKey: "b")
        for round in 0..<300 {
            try suite.set(DefaultsValue(round), forKey: "a")
            try act(deed)
            try suite.set(-1, forKey: "a")
            #expect(FileManager.default.fileExists(atPath: path(".settings.json.journal")))
            #expect(FileManager.default.fileExists(atPath: path(".settings.json.lock")))
        }
        try checkStored()
    }

    /// A finer clock is ahead of the times that files get, and would tell that a tick is over that is not.
    @Test func `what is made from now on has the time of the clock of files, or a later one`() throws {
        for _ in 0..<300 {
            let now = SystemCalls.wallNanoseconds
            try act(.addsFile)
            let made = try SystemCalls.status(path: path("other"))
            #expect(min(made.changed, made.identity.modified) >= now)
            try FileManager.default.removeItem(atPath: path("other"))
        }
    }

    /// Of a clock that ticks every 10 ms, two changes may have one time; whoever trusted the first would miss the second.
    @Test func `a folder that was changed just now does not do in place of the names`() throws {
        var inTime = 0
        for _ in 0..<2_000 where inTime < 20 {
            try act(.addsFile)
            try FileManager.default.removeItem(atPath: path("other"))
            let made = try (0..<3).map { _ in try calls { try suite.set(.random, forKey: "a") } }
            // Where the machine was slow it may have rested long enough.
            let age = SystemCalls.wallNanoseconds - (try SystemCalls.status(path: path("")).changed)
            guard age < 20_000_000 else { continue }
            inTime += 1
            #expect(made.allSatisfy { $0.contains("lstat") && $0.contains("fstatat") })
        }
        #expect(inTime == 20)
    }

    /// The look is as old as the lock.
    @Test func `a journal that is taken away during a transaction is missed by it`() throws {
        try completeAbandonedCommit()
        try suite.withTransaction { tx in
            tx[key: "a"] = -1
            try act(.movesJournal)
            tx[key: "b"] = -2
        }
        #expect(FileManager.default.fileExists(atPath: path(".settings.json.journal")))
        try checkStored()
    }

    @Test(arguments: ["stat", "fstat"], [EIO, EACCES])
    func `a look that is refused costs nothing but that the write may be`(call: String, code: Int32) throws {
        try completeAbandonedCommit()
        try suite.set(-1, forKey: "a")
        let plan = FaultInjection(FaultInjection.Rule(call, errno: code))
        let error = FaultInjection.$current.withValue(plan) { refusal { try suite.set(-2, forKey: "b") } }
        // That at the folder only saves others.
        #expect((error == nil) == (call == "stat"))
        if error != nil { try suite.set(-2, forKey: "b") }
        try checkStored()
    }

    @Test func `where the call is not to be had the names are looked at`() throws {
        try completeAbandonedCommit()
        try suite.set(-1, forKey: "a")
        let plan = FaultInjection(FaultInjection.Rule("stat", errno: ENOSYS, lasts: true))
        try FaultInjection.$current.withValue(plan) { try suite.set(-2, forKey: "b") }
        #expect(plan.calls.starts(with: ["flock", "stat", "lstat", "fstatat"]))
        try checkStored()
    }

    @Test func `on a file system that does not tell of changes the names are looked at`() throws {
        let look = FolderLook(isUsed: false)
        let files = try #require(try store.state().files)
        let plan = FaultInjection()
        let sight = FaultInjection.$current.withValue(plan) { look.look(at: files) }
        #expect(sight.isCurrent)
        #expect(!sight.isUnchanged)
        #expect(plan.calls == ["lstat"])
    }
}
