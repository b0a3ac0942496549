/// Defaults in the system's folders: what they say, who is told, and what explains them.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread, .timeLimit(.minutes(60))) struct SystemDefaultsTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let failures: FailureRecorder

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        failures = FailureRecorder(suite)
    }

    private func add() {
        suite.context.addSystemDefaults(["etc", "usr"].map { "\(folder.path)/\($0)/player" })
    }

    private func expect(_ value: DefaultsValue?, after body: () throws -> Void) throws {
        let events = Recorder<DefaultsChange>()
        let observation = suite.observe(forKey: "a", options: [.new]) { events.append($0) }
        try body()
        #expect(events.wait { $0.last.map { $0.newValue == value } ?? false })
        #expect(events.all.last?.cause == .defaultsChanged("system defaults"))
        observation.invalidate()
    }

    @Test func `the folders are those of the specification, and the configuration folders that are absolute`()
    {
        #expect(
            SystemDefaults.folders(of: "player", configuration: nil)
                == [
                    "/etc/player", "/etc/xdg/player", "/run/player", "/usr/local/lib/player",
                    "/usr/lib/player",
                ])
        #expect(
            SystemDefaults.folders(of: "player", configuration: "/a:b:/etc::/c")
                == [
                    "/etc/player", "/a/player", "/c/player", "/run/player", "/usr/local/lib/player",
                    "/usr/lib/player",
                ])
        #expect(
            SystemDefaults.folders(of: "player", configuration: "")
                == SystemDefaults.folders(of: "player", configuration: nil))
    }

    @Test func `they answer below what is stored, unlocked, and explain names each file`() throws {
        try folder.write("{\"a\": 1, \"b\": 1}", to: "usr/player/defaults.json")
        try folder.write("{\"a\": 2}", to: "usr/player/defaults.d/50-site.json")
        add()
        #expect(suite.value(forKey: "a") == 2)
        #expect(suite.value(forKey: "b") == 1)
        let places = suite.explain(forKey: "a").map(\.description)
        #expect(places.count == 2)
        #expect(places.first?.contains("\(folder.path)/usr/player/defaults.d/50-site.json") == true)
        #expect(places.last?.contains("\(folder.path)/usr/player/defaults.json") == true)
        #expect(places.last?.contains("masked by source system defaults") == true)
        try suite.set(3, forKey: "a")
        #expect(suite.value(forKey: "a") == 3)
        try suite.removeValue(forKey: "a")
        #expect(suite.value(forKey: "a") == 2)
        #expect(failures.all == [])
    }

    @Test func `a file that comes, changes and goes is heard, though no folder was there at first`() throws {
        add()
        #expect(suite.value(forKey: "a") == nil)
        try expect(1) { try folder.write("{\"a\": 1}", to: "usr/player/defaults.json") }
        try expect(2) { try folder.write("{\"a\": 2}", to: "etc/player/defaults.d/10.json") }
        try expect(3) { try folder.saveByRename("{\"a\": 3}", to: "etc/player/defaults.d/10.json") }
        try expect(4) { try folder.write("{\"a\": 4}", to: "etc/player/defaults.d/10.json") }
        try expect(1) { try folder.remove("etc/player/defaults.d/10.json") }
        try expect(nil) { try folder.write("", to: "etc/player/defaults.json") }
        #expect(failures.all == [])
    }

    @Test func `what a link leads to is followed as well`() throws {
        try folder.write("{\"a\": 1}", to: "opt/a.json")
        try folder.write("{}", to: "etc/player/defaults.d/z.json")
        #expect(symlink("\(folder.path)/opt/a.json", "\(folder.path)/etc/player/defaults.d/a.json") == 0)
        add()
        #expect(suite.value(forKey: "a") == 1)
        try expect(2) { try folder.write("{\"a\": 2}", to: "opt/a.json") }
    }

    @Test func `a broken file is reported once with its place, and what it said stays`() throws {
        try folder.write("{\"a\": 1}", to: "etc/player/defaults.d/10.json")
        add()
        try folder.saveByRename("{\"a\" 2}", to: "etc/player/defaults.d/10.json")
        #expect(failures.wait(for: 1))
        let error = try #require(failures.all.first)
        #expect((error.code, error.line, error.column) == (.malformedFile, 1, 6))
        #expect(error.path == "\(folder.path)/etc/player/defaults.d/10.json")
        #expect(suite.value(forKey: "a") == 1)
        #expect(
            !error.description.contains("settings file") && !error.description.contains("last good values"))
        try expect(3) { try folder.saveByRename("{\"a\": 3}", to: "etc/player/defaults.d/10.json") }
        #expect(failures.wait(for: 2))
        #expect(failures.codes == [.malformedFile, .recovered])
    }

    @Test func `other folders take the place of those before, and only they are followed`() throws {
        try folder.write("{\"a\": 1}", to: "etc/player/defaults.json")
        try folder.write("{\"b\": 2}", to: "etc/other/defaults.json")
        add()
        suite.context.addSystemDefaults(["\(folder.path)/etc/other"])
        #expect(suite.value(forKey: "a") == nil)
        #expect(suite.value(forKey: "b") == 2)
        try folder.write("{\"a\": 3}", to: "etc/player/defaults.json")
        try expect(4) { try folder.write("{\"a\": 4}", to: "etc/other/defaults.d/1.json") }
        suite.context.addSystemDefaults(["\(folder.path)/none"])
        #expect(suite.value(forKey: "a") == nil)
        #expect(failures.all == [])
    }

    @Test func `a suite that is in memory, or was opened by its file, needs a name`() throws {
        let byFile = try DefaultsSuite(file: folder.path + "/other.json")
        for suite in [DefaultsSuite.inMemory(), byFile] {
            #expect(refusal { try suite.addSystemDefaults() }?.code == .invalidSuiteName)
            try suite.addSystemDefaults(named: "typed-defaults-\(UUID().uuidString)")
        }
        try suite.addSystemDefaults()
        #expect(failures.all == [])
    }

    @Test func `what could not be read for a moment is read again, though no notification says so`() throws {
        try folder.write("{\"a\": 1}", to: "etc/player/defaults.d/10.json")
        let plan = FaultInjection(FaultInjection.Rule("fdopendir", errno: EMFILE, lasts: true))
        FaultInjection.$current.withValue(plan) { add() }
        #expect(failures.codes == [.ioFailure])
        #expect(eventually { suite.value(forKey: "a") == 1 })
        #expect(failures.wait(for: 2))
        #expect(failures.codes == [.ioFailure, .recovered])
    }

    @Test func `a reading that another one has overtaken reports nothing and changes nothing`() throws {
        let files = DropIns(folders: ["\(folder.path)/etc"], name: "defaults")
        let defaults = SystemDefaults(folders: files.folders)
        var late = DropIns.Contents()
        late.failures = [DefaultsError(.ioFailure, path: files.folders[0])]
        defaults.place(DropIns.Contents(), of: files, asked: 2, into: suite.context)
        defaults.place(late, of: files, asked: 1, into: suite.context)
        let others = DropIns(folders: ["\(folder.path)/usr"], name: "defaults")
        defaults.place(late, of: others, asked: 3, into: suite.context)
        #expect(failures.all == [])
        defaults.place(late, of: files, asked: 3, into: suite.context)
        #expect(failures.codes == [.ioFailure])
    }
}
