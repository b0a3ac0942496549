/// `$schema` is a member of the file and no setting.
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

@Suite(.ownThread) struct SchemaMemberTests {
    @Test(arguments: Place.allCases)
    private func `it stays when everything is removed`(_ place: Place) throws {
        try place.withSuite { suite in
            try suite.set("./s.json", forKey: "$schema")
            try suite.set(1, forKey: "a")
            Defaults.removeAll(suite: suite)
            #expect(try suite.storedValues() == ["$schema": "./s.json"])
            try suite.withTransaction { tx in
                tx[key: "$schema"] = "./t.json"
                tx[key: "b"] = 2
                try suite.removeAll()
            }
            #expect(try suite.storedValues() == ["$schema": "./t.json"])
            try suite.removeValue(forKey: "$schema")
            #expect(try suite.storedValues() == [:])
        }
    }

    @Test func `it is stored, and not among the effective values`() throws {
        let suite = DefaultsSuite.inMemory()
        try suite.set("./s.json", forKey: "$schema")
        try suite.set(1, forKey: "a")
        #expect(suite.value(forKey: "$schema") == "./s.json")
        #expect(try suite.storedObject() == ["$schema": "./s.json", "a": 1])
        #expect(suite.dictionaryRepresentation() == ["a": 1])
        #expect(suite.snapshot().dictionaryRepresentation() == ["a": 1])
    }

    @Test func `an observer of all keys does not hear of it, one of its own does`() throws {
        let suite = DefaultsSuite.inMemory()
        let (all, own) = (Recorder<[String]>(), Recorder<DefaultsValue?>())
        let observations = [
            suite.observeAll(options: []) { all.append($0.map(\.key)) },
            suite.observe(forKey: "$schema", options: .new) { own.append($0.newValue) },
        ]
        try suite.set("./s.json", forKey: "$schema")
        try suite.set(1, forKey: "a")
        #expect(all.all == [["a"]])
        #expect(own.all == ["./s.json"])
        withExtendedLifetime(observations) {}
    }

    @Test func `an administrator's locks nobody's`() throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"$schema": "./admin.json", "a": 1}"#, to: "etc/managed.json")
        let suite = try folder.suite()
        try suite.setManagedFile(folder.path + "/etc/managed.json")
        try suite.writeSchema(of: [], addsReference: true)
        #expect(try suite.storedValues() == ["$schema": "./settings.schema.json"])
        #expect(suite.value(forKey: "$schema") == "./settings.schema.json")
        #expect(suite.dictionaryRepresentation() == ["a": 1])
    }

    @Test func `that of a source's file is no default`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"$schema": "./factory.json", "a": 1}"#, to: "factory.json")
        let suite = DefaultsSuite.inMemory()
        try await suite.read(sources: JSONDefaultValueSource(path: folder.path + "/factory.json"))
        #expect(suite.value(forKey: "$schema") == nil)
        #expect(suite.value(forKey: "a") == 1)
    }

    @Test(arguments: Place.allCases)
    private func `whole settings keep it, and a file with nothing else is an empty one`(_ place: Place) throws
    {
        try inSuite(place) { suite in
            try suite.set("./s.json", forKey: "$schema")
            var settings = try firstLoadKeepingInitialValues()
            try settings.delete()
            #expect(try suite.storedValues() == ["$schema": "./s.json"])
            try settings.load()
            #expect(try suite.storedValues()["lives"] == 9)
        }
    }

    @Test func `that of a file of initial values is not taken over`() throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"$schema": "./initial.json", "lives": 7}"#, to: "initial.json")
        try inSuite(.memory) { suite in
            var settings = PlayerSettings()
            try settings.loadUsingSettingsFile(folder.path + "/initial.json")
            #expect(try suite.storedValues() == ["volume": 0.8, "lives": 7, "motto": "play"])
        }
    }
}
