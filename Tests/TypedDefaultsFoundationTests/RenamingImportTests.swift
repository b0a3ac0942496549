/// Values that have other names in `UserDefaults`, and an import that is made once.
import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsFoundation

@Suite(.ownThread, .timeLimit(.minutes(60))) struct RenamingImportTests {
    struct Window: Codable, Hashable, Sendable {
        var width = 800
        var height = 600
    }

    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
    }

    private func old(_ values: [String: Any]) -> UserDefaults {
        let old = FixedDefaults()
        old.values = values
        return old
    }

    @Test func `a value of another name is decoded by the type of the key that takes it`() throws {
        let window = Defaults.Key<Window>("window", default: Window(), suite: suite)
        let file = Defaults.OptionalKey<URL>("project.file", suite: suite)
        let site = Defaults.OptionalKey<URL>("project.site", suite: suite)
        let day = Defaults.OptionalKey<Date>("day", suite: suite)
        let (size, moment) = (Window(width: 1, height: 2), Date(timeIntervalSince1970: 1_700_000_000))
        let site1 = try #require(NSURL(string: "https://a.b/c"))
        let values: [String: Any] = [
            "WindowSize": try JSONEncoder().encode(size), "File": "/nowhere/x y", "Day": moment,
            "Site": try NSKeyedArchiver.archivedData(withRootObject: site1, requiringSecureCoding: true),
        ]
        let result = try suite.importValues(
            from: old(values),
            renaming: ["WindowSize": window, "File": file, "Site": site, "Day": day, "None": day])
        #expect(result.imported.sorted() == ["day", "project.file", "project.site", "window"])
        #expect(result.missing == ["None"] && result.refused == [:] && !result.wasAlreadyImported)
        #expect(try suite.value(window) == size && suite.value(day) == moment)
        #expect(try suite.value(file)?.absoluteString == "file:///nowhere/x%20y")
        #expect(try suite.value(site)?.absoluteString == "https://a.b/c")
        #expect(try suite.storedValues().keys.sorted() == result.imported.sorted())
    }

    @Test func `a key of another suite is looked up in this one`() throws {
        let count = Defaults.Key<Int>("count", default: 0, suite: .inMemory())
        let result = try suite.importValues(
            from: old(["Count": "x", "N": 5]), renaming: ["Count": count, "N": count])
        #expect(result.refused.keys.sorted() == ["Count"] && result.imported == ["count"])
        #expect(try suite.storedValues() == ["count": 5])
    }

    @Test func `of two names of one key the first one that has a value applies`() throws {
        let size = Defaults.Key<Int>("size", default: 0, suite: suite)
        let result = try suite.importValues(
            from: old(["B": 2, "C": 3]), renaming: ["C": size, "A": size, "B": size], overwriting: true)
        #expect(result.imported == ["size"] && result.missing == ["A"])
        #expect(try suite.value(size) == 2)
    }

    @Test func `what is refused is named as it is there, without the value of a secret key`() throws {
        let token = Defaults.Key<Int>("token", default: 0, suite: suite, secret: true)
        let result = try suite.importValues(from: old(["Token": "s3cret"]), renaming: ["Token": token])
        #expect(result.refused.keys.sorted() == ["Token"])
        #expect(!result.refused.values.contains { $0.contains("s3cret") })
    }

    @Test func `an import that is made once does not bring back what was reset or removed`() throws {
        let size = Defaults.Key<Int>("size", default: 0, suite: suite)
        let old = old(["Size": 2, "volume": 0.5])
        func take() throws -> DefaultsImport {
            try suite.importValues(from: old, keys: ["volume"], renaming: ["Size": size], once: "old")
        }
        #expect(try take().imported.sorted() == ["size", "volume"])
        try suite.reset(size)
        #expect(try take().wasAlreadyImported && suite.storedValues()["size"] == nil)
        try suite.removeAll()
        #expect(
            try take().imported == [] && suite.storedValues() == ["$migrationLists": ["$import": ["old"]]])
        #expect(try suite.importValues(from: old, keys: ["volume"], once: "again").imported == ["volume"])
    }

    @Test func `of several that make it at once one does`() throws {
        let made = Recorder<Int>()
        withThreads(4) { [folder] thread in
            let old = FixedDefaults()
            old.values = ["n": thread]
            let result = Result { try folder.suite().importValues(from: old, keys: ["n"], once: "old") }
            if case .success(let result) = result, result.imported == ["n"] { made.append(thread) }
        }
        #expect(made.all.count == 1)
        #expect(suite.value(forKey: "n")?.int == made.all.first)
    }

    @Test func `an import that throws is made next time`() throws {
        try folder.write(#"{"a": 0}"#, to: "managed.json")
        try suite.setManagedFile(folder.path + "/managed.json")
        let old = old(["a": 1, "b": 2])
        #expect(throws: DefaultsError.self) {
            try suite.importValues(from: old, keys: ["a", "b"], once: "old")
        }
        #expect(try suite.storedValues() == [:])
        try suite.setManagedFile(nil)
        #expect(try suite.importValues(from: old, keys: ["a", "b"], once: "old").imported == ["a", "b"])
    }

    @Test func `where the file is broken nobody can tell whether it was made`() throws {
        try folder.write("{\n  oops\n}\n", to: "settings/settings.json")
        suite.onFailure = { _ in }
        let error = #expect(throws: DefaultsError.self) {
            try suite.importValues(from: old(["a": 1]), keys: ["a"], once: "old")
        }
        #expect(error?.code == .malformedFile)
        #expect(try folder.read("settings/settings.json") == "{\n  oops\n}\n")
    }
}
