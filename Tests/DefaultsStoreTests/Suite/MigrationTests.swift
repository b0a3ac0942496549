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
        let generation = try suite.core.store().state().generation
        try suite.migrate([add("a")])
        #expect(try suite.core.store().state().generation == generation)
        #expect(try folder.read("settings/settings.json") == before)
    }

    @Test func `removing everything removes the names of the steps, which are all done again`() throws {
        try suite.migrate([add("a")])
        try suite.removeAll()
        #expect(try suite.storedObject() == [:])
        #expect(try suite.migrate([add("a")]) == ["a"])
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

    @Test func `a step sees what is stored, not what counts`() throws {
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
        #expect(error?.code == .newerFormat && error?.key == "$migrations")
        #expect(refusal { try suite.migrate([add("z")]) }?.code == .newerFormat)
        #expect(try suite.storedObject() == ["n": 2, "$migrations": ["a", "b"]])
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
        let observation = suite.observeAllChanges(options: []) { changes in
            heard.withLock { $0.append(changes.map(\.key).sorted()) }
        }
        try suite.migrate([.rename("r", from: "old", to: "new"), add("a")])
        observation.invalidate()
        #expect(heard.withLock { $0 } == [["$migrations", "n", "new", "old"]])
    }
}
