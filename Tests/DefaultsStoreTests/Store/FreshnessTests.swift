/// What others do to the files while the suite is open is noticed: by observers, and by reads that nobody observes.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct FreshnessTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let events = Recorder<DefaultsChange>()
    private let observation: DefaultsObservation

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        try suite.set(1, forKey: "a")
        observation = suite.observe(forKey: "a", options: [.old, .new]) { [events] in events.append($0) }
    }

    private func change(_ old: DefaultsValue?, _ new: DefaultsValue?) -> DefaultsChange {
        DefaultsChange(key: "a", oldValue: old, newValue: new, isInitial: false, cause: .fileEdited)
    }

    @Test func `a save by rename is heard and read`() throws {
        try folder.saveByRename("{\"a\": 2}")
        #expect(events.wait(for: 1))
        #expect(events.all == [change(1, 2)])
        #expect(suite.value(forKey: "a") == 2)
    }

    @Test func `a save in place is heard and read`() throws {
        try folder.write("{\"a\": 2}", to: "settings/settings.json")
        #expect(events.wait { $0.last?.newValue == 2 })
        #expect(suite.value(forKey: "a") == 2)
        #expect(events.all.first?.oldValue == 1)
    }

    @Test func `two saves in place of the same length are both seen`() throws {
        try folder.write("{\"a\": 2}", to: "settings/settings.json")
        try folder.write("{\"a\": 3}", to: "settings/settings.json")
        #expect(events.wait { $0.last?.newValue == 3 })
        #expect(suite.value(forKey: "a") == 3)
    }

    @Test func `a deleted file means no stored values, and the next write makes it again`() throws {
        try folder.remove()
        #expect(events.wait(for: 1))
        #expect(events.all == [change(1, nil)])
        #expect(try suite.storedValues() == [:])
        try suite.set(3, forKey: "b")
        #expect(try folder.foreignReading() == ["b": 3])
    }

    @Test func `a deleted folder means no stored values, and a folder made again by hand is read`() throws {
        try folder.remove("settings")
        #expect(events.wait { $0.last?.newValue == nil && !$0.isEmpty })
        try folder.write("{\"a\": 5}", to: "settings/settings.json")
        #expect(events.wait { $0.last?.newValue == 5 })
        try suite.set(6, forKey: "b")
        #expect(try folder.foreignReading() == ["a": 5, "b": 6])
    }

    @Test func `a folder that goes after its files is found again when it is made anew`() throws {
        for name in ["settings.json", ".settings.json.lock", ".settings.json.journal"] {
            try folder.remove("settings/" + name)
        }
        #expect(events.wait { $0.last?.newValue == nil && !$0.isEmpty })
        try EventLoop.shared.drain()
        #expect(suite.value(forKey: "a") == nil)
        try folder.remove("settings")
        try folder.write("{\"a\": 5}", to: "settings/settings.json")
        #expect(events.wait { $0.last?.newValue == 5 })
    }

    @Test func `a write after the folder was deleted makes it again and is seen`() throws {
        try folder.remove("settings")
        try suite.set(2, forKey: "a")
        #expect(try folder.foreignReading() == ["a": 2])
        #expect(suite.value(forKey: "a") == 2)
        #expect(try folder.permissions(of: "settings") == 0o700)
        #expect(events.wait { $0.last?.newValue == 2 })
    }

    @Test func `a moved folder is not written to any more`() throws {
        try folder.awaitCheckpoint()
        #expect(rename(folder.path + "/settings", folder.path + "/moved") == 0)
        try suite.set(2, forKey: "b")
        #expect(try folder.foreignReading(of: "moved/settings.json") == ["a": 1])
        #expect(try folder.foreignReading() == ["b": 2])
    }

    @Test func `a deleted lock file is made again by the next write and saves by hand are heard still`()
        throws
    {
        try folder.remove("settings/.settings.json.lock")
        try suite.set(2, forKey: "a")
        #expect(try folder.names().contains(".settings.json.lock"))
        try folder.saveByRename("{\"a\": 3}")
        #expect(events.wait { $0.last?.newValue == 3 })
        #expect(events.all.first?.newValue == 2)
    }

    @Test func `a deleted journal is made again and loses nothing`() throws {
        try folder.remove("settings/.settings.json.journal")
        #expect(try suite.storedValues() == ["a": 1])
        try suite.set(2, forKey: "a")
        #expect(try suite.storedValues() == ["a": 2])
        #expect(try folder.names().contains(".settings.json.journal"))
    }

    @Test(arguments: ForeignSaveTests.Saving.allCases)
    func `a read that nobody observes sees a save by hand`(_ saving: ForeignSaveTests.Saving) throws {
        // Both suites are in one folder, whose notices come in order: when the observed one hears of its file,
        // the notice about the other has been seen to.
        let other = try DefaultsSuite(file: folder.path + "/settings/other.json")
        try other.set(1, forKey: "a")
        switch saving {
        case .byRename: try folder.saveByRename("{\"a\": 2}", to: "settings/other.json")
        case .inPlace: try folder.write("{\"a\": 2}", to: "settings/other.json")
        }
        try folder.saveByRename("{\"a\": 9}")
        #expect(events.wait { $0.last?.newValue == 9 })
        #expect(other.value(forKey: "a") == 2)
    }

    @Test func `a save that changes other keys alone is no event`() throws {
        try folder.saveByRename("{\"a\": 1, \"b\": 2}")
        try folder.saveByRename("{\"b\": 3, \"a\": 4}")
        #expect(events.wait { $0.last?.newValue == 4 })
        #expect(events.all == [change(1, 4)])
    }
}
