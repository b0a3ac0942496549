/// A person saves the file while a transaction is open: both changes are kept.
import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct ForeignSaveTests {
    /// How an editor saves.
    enum Saving: CaseIterable, Sendable { case byRename, inPlace }

    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        try suite.set(1, forKey: "n")
        try suite.checkpoint()
    }

    private func save(_ text: String, _ saving: Saving) throws {
        switch saving {
        case .byRename: try folder.saveByRename(text)
        case .inPlace: try folder.write(text, to: "settings/settings.json")
        }
    }

    @Test(arguments: Saving.allCases)
    func `the person's edit of another key and the transaction's change are both kept (F8)`(_ saving: Saving)
        throws
    {
        try suite.withTransaction { tx in
            tx[key: "n"] = DefaultsValue((tx[key: "n"]?.int ?? 0) + 1)
            try save("{\n  // by hand\n  \"n\": 1,\n  \"theme\": \"dark\"\n}\n", saving)
        }
        #expect(try suite.storedValues() == ["n": 2, "theme": "dark"])
        #expect(
            try folder.read("settings/settings.json")
                == "{\n  // by hand\n  \"n\": 2,\n  \"theme\": \"dark\"\n}\n")
    }

    @Test(arguments: Saving.allCases)
    func `a person's save of a value that the transaction has read makes it throw and write nothing (F8)`(
        _ saving: Saving
    ) throws {
        func increment(_ meanwhile: () throws -> Void) throws {
            try suite.withTransaction { tx in
                tx[key: "n"] = DefaultsValue((tx[key: "n"]?.int ?? 0) + 1)
                try meanwhile()
            }
        }
        let error = refusal { try increment { try save("{\"n\": 100}", saving) } }
        #expect(error == DefaultsError(.conflict, suite: "settings", path: folder.settingsPath()))
        #expect(try suite.storedValues() == ["n": 100])
        try increment {}
        #expect(try suite.storedValues() == ["n": 101])
    }

    @Test(arguments: ["n", "m", "o"])
    func `a person's save of any of the values that the transaction has read makes it throw (F8)`(
        _ changed: String
    ) throws {
        try suite.set(2, forKey: "m")
        try suite.set(3, forKey: "o")
        try suite.checkpoint()
        var saved: [String: DefaultsValue] = ["n": 1, "m": 2, "o": 3]
        saved[changed] = 100
        let error = refusal {
            try suite.withTransaction { tx in
                let sum = ["n", "n", "m", "o", "m"].compactMap { tx[key: $0]?.int }.reduce(0, +)
                tx[key: "sum"] = DefaultsValue(sum)
                try save(DefaultsValue.object(DefaultsObject(saved)).description, .byRename)
            }
        }
        #expect(error?.code == .conflict)
        #expect(try suite.storedValues() == saved)
    }

    @Test(arguments: Saving.allCases)
    func `a person's save under a transaction that has listed all values makes it throw (F8)`(
        _ saving: Saving
    ) throws {
        let error = refusal {
            try suite.withTransaction { tx in
                tx[key: "count"] = DefaultsValue(try suite.storedValues().count)
                try save("{\"n\": 1, \"m\": 2}", saving)
            }
        }
        #expect(error?.code == .conflict)
        #expect(try suite.storedValues() == ["n": 1, "m": 2])
    }

    @Test(arguments: Saving.allCases)
    func `a rollback leaves the person's save as it is`(_ saving: Saving) throws {
        _ = refusal {
            try suite.withTransaction { tx in
                (tx[key: "n"], tx[key: ""]) = (2, 2)
                try save("{\"n\": 7}", saving)
            }
        }
        #expect(try folder.read("settings/settings.json") == "{\"n\": 7}")
        #expect(try suite.storedValues() == ["n": 7])
    }

    @Test func `a file deleted under a transaction comes back with its changes`() throws {
        try suite.withTransaction { tx in
            tx[key: "a"] = 1
            try folder.remove()
        }
        #expect(try suite.storedValues() == ["a": 1])
    }

    @Test func `the person's edit of an observed key is heard when the transaction commits`() throws {
        let events = Recorder<DefaultsChange>()
        let observation = suite.observe(forKey: "theme", options: [.new]) { events.append($0) }
        try suite.withTransaction { tx in
            tx[key: "n"] = 2
            try save("{\"n\": 1, \"theme\": \"dark\"}", .byRename)
        }
        #expect(events.wait(for: 1))
        #expect(events.all.map(\.newValue) == ["dark"])
        #expect(events.all.map(\.cause) == [.fileEdited])
        observation.invalidate()
    }

    @Test
    func `a save that breaks the file under a transaction stays, and the change stands over its mended form`()
        throws
    {
        let failures = FailureRecorder(suite)
        try suite.withTransaction { tx in
            tx[key: "n"] = 2
            try save("{\"n\": ", .byRename)
        }
        #expect(try folder.read("settings/settings.json") == "{\"n\": ")
        #expect(suite.value(forKey: "n") == 2)
        try save("{\"n\": 5, \"m\": 6}", .byRename)
        #expect(try suite.storedValues() == ["n": 2, "m": 6])
        #expect(failures.codes.allSatisfy { [.malformedFile, .recovered].contains($0) })
    }
}
