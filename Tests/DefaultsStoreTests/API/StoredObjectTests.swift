/// What is stored, in the order of the file.
import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct StoredObjectTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        suite.onFailure = { _ in }
    }

    @Test func `members come in the order of the file, later ones last`() throws {
        try folder.write(#"{"z": 1, "a": 2}"#, to: "settings/settings.json")
        try suite.set(3, forKey: "b")
        #expect(try suite.storedObject().map(\.key) == ["z", "a", "b"])
        #expect(try suite.storedObject() == ["z": 1, "a": 2, "b": 3])
    }

    @Test func `two names that differ in their Unicode form are two members`() throws {
        try suite.set(1, forKey: "\u{E9}")
        try suite.set(2, forKey: "e\u{301}")
        #expect(try suite.storedObject().count == 2)
    }

    @Test func `in a transaction its own changes are in it`() throws {
        try suite.set(1, forKey: "a")
        let members = try suite.withTransaction { transaction in
            transaction[key: "a"] = nil
            transaction[key: "b"] = 2
            return try suite.storedObject()
        }
        #expect(members == ["b": 2])
    }

    @Test func `a broken file is an error`() throws {
        try folder.write("{", to: "settings/settings.json")
        #expect(refusal { _ = try suite.storedObject() }?.code == .malformedFile)
    }
}
