/// Steps that bring what is stored from an older shape into a newer one.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct MigrationTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        suite.onFailure = { _ in }
    }

    private struct Refused: Error {}

    private func add(_ name: String) -> DefaultsMigration {
        DefaultsMigration(name) { transaction in
            let number = try transaction.storedValue(forKey: "n")?.int ?? 0
            transaction[key: "n"] = .number(DefaultsNumber(number + 1))
        }
    }

    @Test func `steps are done in the order of the list, once, and their names are in the file`() throws {
        #expect(try suite.migrate([add("a"), add("b")]) == ["a", "b"])
        #expect(try suite.migrate([add("a"), add("b")]) == [])
        #expect(try suite.migrate([add("a"), add("b"), add("c")]) == ["c"])
        #expect(try suite.storedObject() == ["n": 3, "$migrations": ["a", "b", "c"]])
    }

    @Test func `a step put in between is done, and one dropped from the front is not missed`() throws {
        try suite.migrate([add("a"), add("c")])
        #expect(try suite.migrate([add("b"), add("c")]) == ["b"])
        #expect(try suite.storedObject()["n"] == 3)
    }

    @Test func `where nothing is to be done nothing is written`() throws {
        try suite.migrate([add("a")])
        try suite.checkpoint()
        let before = try folder.read("settings/settings.json")
        let generation = try suite.context.store().state().generation
        try suite.migrate([add("a")])
        #expect(try suite.context.store().state().generation == generation)
        #expect(try folder.read("settings/settings.json") == before)
    }

    @Test func `removing everything leaves the names of the steps, so that none is done on newer values`()
        throws
    {
        try suite.migrate([add("a")])
        try suite.migrate([add("b")], list: "other")
        try suite.removeAll()
        #expect(try suite.storedObject() == ["$migrations": ["a"], "$migrationLists": ["other": ["b"]]])
        #expect(try suite.migrate([add("a")]) == [] && suite.migrate([add("b")], list: "other") == [])
    }

    @Test(arguments: ["colours", "theme", "index", "volume", "parts"])
    func `the steps move what is stored, whatever is locked above it`(_ locked: String) throws {
        try folder.write("{\"\(locked)\": 7}", to: "managed/managed.json")
        for (key, value) in ["colours": "dark", "index": 1, "volume": 50] as [String: DefaultsValue] {
            try suite.set(value, forKey: key)
        }
        try suite.setManagedFile(folder.path + "/managed/managed.json")
        try suite.migrate([
            .rename("colours are a theme", from: "colours", to: "theme"), .remove("no index", keys: "index"),
            .transform("percent", key: "volume") { .number(DefaultsNumber(($0.int ?? 0) / 10)) },
            DefaultsMigration("parts") { tx in tx[key: "parts"] = [1] },
        ])
        #expect(
            try suite.storedValues().filter { !$0.key.hasPrefix("$") } == [
                "theme": "dark", "volume": 5, "parts": [1],
            ])
        #expect(suite.value(forKey: locked) == 7)
        #expect(throws: DefaultsError.self) { try suite.set(8, forKey: locked) }
    }

    @Test func `a rename keeps every byte of the value`() throws {
        try folder.write("{\n  // loud\n  \"volume\": 0.500\n}\n", to: "settings/settings.json")
        try suite.migrate([.rename("r", from: "volume", to: "loudness")])
        try suite.checkpoint()
        #expect(try folder.read("settings/settings.json").contains("\"loudness\": 0.500"))
        #expect(try suite.storedObject()["volume"] == nil)
    }

    @Test
    func
        `a rename to a key that is stored keeps that value, and one of nothing or to itself changes nothing`()
        throws
    {
        try suite.set(1, forKey: "old")
        try suite.set(2, forKey: "new")
        try suite.migrate([
            .rename("r", from: "old", to: "new"), .rename("s", from: "none", to: "x"),
            .rename("t", from: "new", to: "new"),
        ])
        #expect(try suite.storedObject() == ["new": 2, "$migrations": ["r", "s", "t"]])
    }

    @Test func `values are removed and transformed, and those that are not stored left alone`() throws {
        try suite.set(50, forKey: "volume")
        try suite.set("x", forKey: "cache")
        try suite.migrate([
            .remove("r", keys: "cache", "none"),
            .transform("t", key: "volume") { .number(DefaultsNumber(($0.int ?? 0) * 2)) },
            .transform("u", key: "other") { _ in 1 }, .transform("v", key: "volume") { $0 == 100 ? $0 : nil },
        ])
        #expect(try suite.storedObject() == ["volume": 100, "$migrations": ["r", "t", "u", "v"]])
    }

    @Test func `a member without a name that somebody has written is removed like any other`() throws {
        try folder.write(#"{"": 1, "n": 2}"#, to: "settings/settings.json")
        try suite.migrate([.remove("r", keys: "", "n")])
        #expect(try suite.storedObject() == ["$migrations": ["r"]])
    }

    @Test func `a rename to what can be no key is refused, and says in which suite`() {
        let error = refusal { try suite.migrate([.rename("r", from: "n", to: "")]) }
        #expect(error?.code == .invalidKey)
        #expect(error?.suite == suite.name)
    }

    @Test func `a step sees what is stored, not what applies`() throws {
        try suite.set(1, forKey: "n")
        try suite.setTransient(7, forKey: "n")
        try suite.migrate([add("a")])
        #expect(try suite.storedObject()["n"] == 2)
    }

    @Test func `a step that throws leaves everything as it was, the steps before it included`() throws {
        try suite.set(1, forKey: "n")
        let steps = [add("a"), DefaultsMigration("b") { _ in throw Refused() }, add("c")]
        #expect(throws: Refused.self) { try suite.migrate(steps) }
        #expect(try suite.storedObject() == ["n": 1])
        #expect(try suite.migrate([add("a"), add("b")]) == ["a", "b"])
    }

    @Test func `a value that cannot be stored stops the steps behind it`() throws {
        let reached = Locked(false)
        let steps = [
            DefaultsMigration("a") { $0[key: ""] = 1 },
            DefaultsMigration("b") { _ in reached.withLock { $0 = true } },
        ]
        #expect(refusal { try suite.migrate(steps) }?.code == .invalidKey)
        #expect(reached.withLock { $0 } == false)
        #expect(try suite.storedObject() == [:])
    }

    @Test func `a file of a newer version is refused and not changed`() throws {
        try suite.migrate([add("a"), add("b")])
        let error = refusal { try suite.migrate([add("a")]) }
        #expect(error?.code == .unsupportedFormat && error?.key == "$migrations")
        #expect(refusal { try suite.migrate([add("z")]) }?.code == .unsupportedFormat)
        #expect(try suite.storedObject() == ["n": 2, "$migrations": ["a", "b"]])
    }

    @Test func `lists with names know nothing of each other, nor of that without one (F19)`() throws {
        #expect(try suite.migrate([add("a")]) == ["a"])
        #expect(try suite.migrate([add("b"), add("a")], list: "player") == ["b", "a"])
        #expect(try suite.migrate([add("z")], list: "indexer") == ["z"])
        #expect(try suite.migrate([add("b"), add("a"), add("c")], list: "player") == ["c"])
        #expect(try suite.migrate([add("a"), add("e")]) == ["e"])
        #expect(
            try suite.storedObject() == [
                "n": 6, "$migrations": ["a", "e"],
                "$migrationLists": ["player": ["b", "a", "c"], "indexer": ["z"]],
            ])
    }

    @Test func `a file that was migrated before there were names is read, and stays what it was (F19)`()
        throws
    {
        try folder.write(#"{"n": 1, "$migrations": ["a"]}"#, to: "settings/settings.json")
        #expect(try suite.migrate([add("b")], list: "second") == ["b"])
        #expect(try suite.migrate([add("a")]) == [])
        #expect(
            try suite.storedObject() == ["n": 2, "$migrations": ["a"], "$migrationLists": ["second": ["b"]]])
    }

    @Test func `names of lists are compared by their bytes`() throws {
        try suite.migrate([add("a")], list: "\u{E9}")
        #expect(try suite.migrate([add("b")], list: "e\u{301}") == ["b"])
        #expect(try suite.storedObject()["$migrationLists"]?.object?.count == 2)
    }

    @Test func `a list of a newer version, and one that is not what it should be, are refused`() throws {
        try suite.migrate([add("a"), add("b")], list: "player")
        let error = refusal { try suite.migrate([add("a")], list: "player") }
        #expect(error?.code == .unsupportedFormat && error?.key == "$migrationLists")
        #expect(error?.description.contains("has to give its list a name of its own") == true)
        try suite.set(["player": 1], forKey: "$migrationLists")
        #expect(refusal { try suite.migrate([add("a")], list: "player") }?.code == .typeMismatch)
        try suite.set(["player"], forKey: "$migrationLists")
        #expect(refusal { try suite.migrate([add("a")], list: "player") }?.code == .typeMismatch)
        #expect(try suite.storedObject()["n"] == 2)
    }

    @Test func `a step that migrates by another list does not lose that one's record (F19)`() throws {
        let inner = add("inner")
        let outer = DefaultsMigration("outer") { [suite] _ in try suite.migrate([inner], list: "other") }
        #expect(try suite.migrate([outer], list: "own") == ["outer"])
        #expect(
            try suite.storedObject()["$migrationLists"] == ["other": ["inner"], "own": ["outer"]])
    }

    @Test func `after a newer version's migration reads and writes go on`() throws {
        try suite.migrate([add("a"), add("b")])
        #expect(refusal { try suite.migrate([add("a")]) }?.code == .unsupportedFormat)
        try suite.set(7, forKey: "n")
        #expect(suite.integer(forKey: "n") == 7)
    }

    @Test func `a list of names that is none is refused and stays`() throws {
        try suite.set(["a", 1], forKey: "$migrations")
        #expect(refusal { try suite.migrate([add("a")]) }?.code == .typeMismatch)
        #expect(try suite.storedObject() == ["$migrations": ["a", 1]])
    }

    @Test func `a broken file is refused, its bytes stay and what can be read of it is not migrated`() throws
    {
        let broken = "{\n  \"n\": 1,\n  oops\n}\n"
        try folder.write(broken, to: "settings/settings.json")
        #expect(refusal { try suite.migrate([add("a")]) }?.code == .malformedFile)
        #expect(try folder.read("settings/settings.json") == broken)
    }

    @Test func `observers hear a migration as one transaction`() throws {
        try suite.set(1, forKey: "old")
        let heard = Locked<[[String]]>([])
        let observation = suite.observeAll(options: []) { changes in
            heard.withLock { $0.append(changes.map(\.key).sorted()) }
        }
        try suite.migrate([.rename("r", from: "old", to: "new"), add("a")])
        observation.invalidate()
        #expect(heard.withLock { $0 } == [["$migrations", "n", "new", "old"]])
    }
}
