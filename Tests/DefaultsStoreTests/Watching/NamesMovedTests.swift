/// What is done to the files' names between writes is not missed.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct NamesMovedTests {
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

    private func path(_ name: String) -> String { folder.path + "/settings/" + name }

    private func checkStored(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let expected: [String: DefaultsValue] = ["a": -1, "b": -2]
        #expect(try suite.storedValues() == expected, sourceLocation: sourceLocation)
        try suite.checkpoint()
        let found = try folder.foreignReading()
        #expect(found == ["a": -1, "b": -2], sourceLocation: sourceLocation)
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
    func `whatever is done to a name, the next write finds out`(_ deed: Deed) throws {
        try suite.set(-1, forKey: "a")
        try act(deed)
        try suite.set(-2, forKey: "b")
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

    /// The look is as old as the lock.
    @Test func `a journal that is taken away during a transaction is missed by it`() throws {
        try suite.withTransaction { tx in
            tx[key: "a"] = -1
            try act(.movesJournal)
            tx[key: "b"] = -2
        }
        #expect(FileManager.default.fileExists(atPath: path(".settings.json.journal")))
        try checkStored()
    }
}
