/// The schema's file beside the settings, and the member of the settings that names it.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread) struct SchemaFileTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let mood: Defaults.AnyKey
    private let volume: Defaults.AnyKey

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        mood = Defaults.Key<Mood>("mood", default: .calm, suite: suite, description: "How it is.")
        volume = Defaults.Key<Double>("volume", default: 0.5, suite: suite, validation: .range(0...1))
    }

    /// What tells a version of a file from another: a save is another file, or the same one at a later time.
    private func version(of name: String) throws -> [FileAttributeKey: String] {
        let all = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
        return [FileAttributeKey.systemFileNumber, .modificationDate, .posixPermissions].reduce(into: [:]) {
            $0[$1] = all[$1].map { "\($0)" }
        }
    }

    @Test func `it stands beside the settings, a line for each key`() throws {
        let path = try suite.writeSchema(of: [mood, volume])
        #expect(path == "\(folder.path)/settings/settings.schema.json")
        #expect(
            try folder.read("settings/settings.schema.json") == """
                {
                  "$schema": "https://json-schema.org/draft/2020-12/schema",
                  "type": "object",
                  "properties": {
                    "$schema": {"type": "string"},
                    "$migrations": {"type": "array", "items": {"type": "string"}},
                    "$migrationLists": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}},
                    "$history": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}},
                    "mood": {"enum": ["calm", "merry", "cross"], "description": "How it is.", "default": "calm"},
                    "volume": {"type": "number", "minimum": 0, "maximum": 1, "default": 0.5}
                  },
                  "additionalProperties": true
                }

                """)
        #expect(try suite.storedValues() == [:])
        #expect(try folder.entries().count == 1)
        #expect(try version(of: "settings/settings.schema.json")[.posixPermissions] == "\(0o600)")
    }

    @Test(arguments: [
        ("settings/a.json", "settings/a.schema.json"), ("settings/rc", "settings/rc.schema.json"),
    ])
    func `its name is that of the settings file`(settings: String, schema: String) throws {
        let suite = try DefaultsSuite(file: "\(folder.path)/\(settings)")
        #expect(try suite.writeSchema(of: [volume]) == "\(folder.path)/\(schema)")
    }

    @Test func `the settings name it in their first member, and comments, order and other members stay`()
        throws
    {
        try folder.write(
            "{ // mine\n    \"volume\": 0.25, // low\n    \"old\": 1\n}\n", to: "settings/settings.json")
        try suite.writeSchema(of: [mood, volume], addsReference: true)
        #expect(
            try folder.settings() == """
                { // mine
                    "$schema": "./settings.schema.json",
                    "volume": 0.25, // low
                    "old": 1
                }

                """)
    }

    @Test func `what is there already is not written again`() throws {
        try suite.writeSchema(of: [volume], addsReference: true)
        _ = try folder.settings()
        let names = [
            "settings/settings.schema.json", "settings/settings.json", "settings/.settings.json.journal",
        ]
        let before = try names.map(version)
        try suite.writeSchema(of: [volume], addsReference: true)
        #expect(try names.map(version) == before)
        try suite.writeSchema(of: [mood])
        #expect(try version(of: names[0]) != before[0])
        #expect(try folder.read(names[0]).contains("mood"))
    }

    @Test func `a file that is replaced keeps its mode, and nothing is left beside it`() throws {
        try folder.write("{}", to: "settings/settings.schema.json")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: folder.path + "/settings/settings.schema.json")
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/settings")
        try suite.writeSchema(of: [volume])
        #expect(try version(of: "settings/settings.schema.json")[.posixPermissions] == "\(0o644)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/settings") == before)
    }

    @Test func `a reference that is there stays, whatever it names`() throws {
        try folder.write(#"{"a": 1, "$schema": "https://mine.example"}"#, to: "settings/settings.json")
        try suite.writeSchema(of: [volume], addsReference: true)
        #expect(try folder.settings() == #"{"a": 1, "$schema": "https://mine.example"}"#)
    }

    @Test(arguments: [
        ("settings/sub/a.json", "./sub/a.json"), ("schemas/my file#1.json", "../schemas/my%20file%231.json"),
        ("settings/é.json", "./%C3%A9.json"), ("a.json", "../a.json"),
    ])
    func `a schema elsewhere is named by the way from the settings to it`(path: String, reference: String)
        throws
    {
        #expect(
            try suite.writeSchema(of: [volume], to: "\(folder.path)/\(path)", addsReference: true)
                == "\(folder.path)/\(path)")
        #expect(try suite.storedObject() == ["$schema": .string(reference)])
        #expect(try folder.read(path).contains("volume"))
    }

    @Test func `where the way up is not known, it is named by its whole path`() throws {
        let suite = try DefaultsSuite(file: "\(folder.path)/a/../b/settings.json")
        try FileManager.default.createDirectory(
            atPath: folder.path + "/a", withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        try suite.writeSchema(of: [volume], to: "\(folder.path)/s.json", addsReference: true)
        #expect(try suite.storedObject() == ["$schema": .string("file://\(folder.path)/s.json")])
    }

    @Test func `a suite in memory needs a path, and has no file to name it in`() throws {
        let memory = DefaultsSuite.inMemory()
        #expect(
            refusal { try memory.writeSchema(of: [volume]) }
                == DefaultsError(
                    .ioFailure, suite: "in memory",
                    underlyingDescription: "a suite in memory has no file to put a schema beside"))
        try memory.writeSchema(of: [volume], to: folder.path + "/s.json", addsReference: true)
        #expect(try folder.read("s.json").contains("volume"))
        #expect(try memory.storedValues() == [:])
    }

    @Test func `the settings' own place is refused`() throws {
        try suite.set(1, forKey: "a")
        let path = try #require(suite.path)
        let error = refusal { try suite.writeSchema(of: [volume], to: path) }
        #expect(error?.code == .ioFailure && error?.path == path)
        #expect(try suite.storedValues() == ["a": 1])
    }

    @Test func `a link in its place is refused, and what it leads to stays`() throws {
        try folder.write("mine", to: "target")
        try suite.set(1, forKey: "a")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/settings/settings.schema.json",
            withDestinationPath: folder.path + "/target")
        #expect(refusal { try suite.writeSchema(of: [volume]) }?.code == .insecureDirectory)
        #expect(try folder.read("target") == "mine")
    }

    @Test func `a folder that everybody can write in is refused`() throws {
        try folder.write("", to: "open/other")
        try folder.allowEverybody(in: "open")
        #expect(
            refusal { try suite.writeSchema(of: [volume], to: folder.path + "/open/s.json") }?.code
                == .insecureDirectory)
    }

    @Test func `broken settings are left to whoever mends them`() throws {
        try folder.write("{\"a\": }", to: "settings/settings.json")
        let failures = FailureRecorder(suite)
        #expect(refusal { try suite.writeSchema(of: [volume], addsReference: true) }?.code == .malformedFile)
        #expect(try folder.settings() == "{\"a\": }")
        #expect(try folder.read("settings/settings.schema.json").contains("volume"))
        withExtendedLifetime(failures) {}
    }

    @Test func `threads that write different ones leave a whole one`() throws {
        let (suite, mood, volume) = (suite, mood, volume)
        try withThreads(8) { number in
            for _ in 0..<20 {
                try suite.writeSchema(of: number % 2 == 0 ? [mood] : [volume], addsReference: true)
            }
        }
        let schema = try DefaultsValue(json: folder.read("settings/settings.schema.json"))
        let all = try [mood, volume].map { try Defaults.schema(of: [$0]) }
        #expect(all.contains(schema))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/settings")
        #expect(names.filter { $0.contains("schema") } == ["settings.schema.json"])
    }

    @Test(.jsonschema) func `an independent validator takes settings that name it, and finds what is wrong`()
        throws
    {
        try suite.writeSchema(of: [mood, volume], allowsOtherKeys: false, addsReference: true)
        try suite.migrate([DefaultsMigration("first") { $0[key: "mood"] = "merry" }])
        let sound = try #require(DefaultsValue(json: folder.settings()).object)
        #expect(sound.map(\.key) == ["$schema", "mood", "$migrations"])
        let verdicts = try SchemaValidator.verdicts(
            on: [sound, ["mood": "sad"], ["volume": 2], ["volme": 1]],
            folder.read("settings/settings.schema.json"))
        #expect(verdicts == [true, false, false, false])
    }
}
