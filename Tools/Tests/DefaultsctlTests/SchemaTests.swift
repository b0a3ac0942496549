/// `check --schema`: whether the values are what the program expects.
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct SchemaTests {
    private let place: Workplace

    /// As `Defaults.schema(of:)` writes it.
    private static let schema = """
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {
        "$schema": {"type": "string"}, "volume": {"type": ["number", "string"], "pattern": "^(-?Infinity|NaN)$"},
        "theme": {"enum": ["light", "dark"], "default": "light"}, "size": {"type": "integer", "minimum": 0, "maximum": 255},
        "recent": {"type": "array", "items": {"type": "string"}},
        "window": {"type": "object", "properties": {"width": {"default": 800}}},
        "table": {"type": "object", "additionalProperties": {"type": "boolean"}},
        "maybe": {"type": ["string", "null"]}}, "additionalProperties": true}
        """

    init() throws { place = try Workplace() }

    private func check(_ settings: String, schema: String = schema) throws -> (status: Int32, said: [String])
    {
        try place.save(settings)
        try place.shell("chmod 600 \(place.file())")
        try Data(schema.utf8).write(to: URL(filePath: place.path + "/schema.json"))
        let run = try place.run("check", "-s", "player", "--schema", place.path + "/schema.json", "--json")
        let findings = try #require(try run.object()["findings"] as? [[String: Any]])
        let said = findings.filter { ($0["category"] as? String)?.hasPrefix("damaged") != true }.map {
            finding in
            let line = (finding["line"] as? Int).map { ":\($0)" } ?? ""
            return "\(finding["severity"] ?? "")\(line) \(finding["key"] ?? ""): \(finding["reason"] ?? "")"
        }
        return (run.status, said)
    }

    @Test(arguments: [
        #""volume": 0.5"#, #""volume": "Infinity""#, #""theme": "dark""#, #""size": 255.0"#, #""recent": []"#,
        #""recent": ["a"]"#, #""window": {"height": 1}"#, #""table": {"a": true}"#, #""maybe": null"#,
        #""$schema": "x""#, "",
    ])
    func `a value that fits is well`(_ member: String) throws {
        let (status, said) = try check("{\(member)}")
        #expect(status == 0 && said == [])
    }

    @Test(arguments: [
        (#""volume": true"#, "it has to be of type number or string"),
        (#""volume": "loud""#, "it has to be a number, or to match ^(-?Infinity|NaN)$"),
        (#""theme": "blue""#, #"it has to be one of "light", "dark""#),
        (#""size": 0.5"#, "it has to be of type integer"), (#""size": 256"#, "it has to be at most 255"),
        (#""size": -1"#, "it has to be at least 0"), (#""size": -1e400"#, "it has to be at least 0"),
        (#""recent": ["a", 2]"#, "at recent[1]: it has to be of type string"),
        (#""window": [800]"#, "it has to be of type object"),
        (#""table": {"a": true, "b\n": 1}"#, #"at table."b\n": it has to be of type boolean"#),
    ])
    func `a value that does not is a warning with its line and what is asked for`(
        member: String, reason: String
    ) throws {
        let (status, said) = try check("{\n\(member)\n}")
        #expect(status == 2)
        let key = String(member.dropFirst().prefix { $0 != "\"" })
        #expect(said == ["warning:2 \(key): \(reason)"])
    }

    @Test
    func `a key that the schema does not have is a note with a hint, or a warning where it forbids others`()
        throws
    {
        let open = try check(#"{"volme": 1}"#)
        #expect(open.status == 0)
        #expect(open.said == ["note:1 volme: the schema has no such key; did you mean volume?"])
        let closed = try check(
            #"{"volme": 1}"#,
            schema: Self.schema.replacing(
                #""additionalProperties": true}"#, with: #""additionalProperties": false}"#))
        #expect(closed.status == 2 && closed.said == ["warning:1 volme: the schema has no such key"])
    }

    @Test func `a key that has to be there and is not is a warning`() throws {
        let (status, said) = try check("{\"a\": 1}", schema: #"{"required": ["a", "b"]}"#)
        #expect(status == 2 && said == ["warning b: the schema asks for this key"])
    }

    @Test(arguments: [
        (#"{"anyOf": [{"type": "string"}, {"const": 1}]}"#, "1", 0),
        (#"{"anyOf": [{"type": "string"}]}"#, "1", 2),
        (#"{"oneOf": [{"minimum": 0}, {"maximum": 9}]}"#, "5", 2),
        (#"{"oneOf": [{"minimum": 0}, {"maximum": 9}]}"#, "10", 0),
        (#"{"allOf": [{"exclusiveMinimum": 1}]}"#, "1", 2), (#"{"exclusiveMaximum": 2}"#, "1", 0),
        (#"{"not": {"type": "null"}}"#, "null", 2),
        (#"{"minLength": 2}"#, "\"a\"", 2), (#"{"maxLength": 1}"#, "\"é\"", 0),
        (#"{"minItems": 1, "maxItems": 1}"#, "[1, 2]", 2),
        ("false", "1", 2), ("true", "1", 0), ("{}", "[{}]", 0),
    ])
    func `the other keywords hold as the standard has them`(rule: String, value: String, status: Int32) throws
    {
        #expect(try check("{\"k\": \(value)}", schema: "{\"properties\": {\"k\": \(rule)}}").status == status)
    }

    @Test func `a keyword that is not understood is named, and a schema that is no JSON is status 65`() throws
    {
        let (status, said) = try check("{\"k\": 1}", schema: ##"{"properties": {"k": {"$ref": "#/x"}}}"##)
        #expect(
            status == 0 && said == ["note : the schema's $ref is not understood here, so it was not checked"])
        try Data("{".utf8).write(to: URL(filePath: place.path + "/schema.json"))
        let run = try place.run("check", "-s", "player", "--schema", place.path + "/schema.json")
        #expect(run.status == 65 && run.errors.contains("schema.json:1:2"))
        #expect(try place.run("check", "-s", "player", "--schema", place.path + "/none").status == 66)
    }

    @Test(arguments: [
        // What a choice with an unknown keyword says of a value, nobody knows.
        (##"{"oneOf": [{"$ref": "#/x"}, {"$ref": "#/y"}]}"##, "5", 0),
        (##"{"oneOf": [{"type": "string"}, {"$ref": "#/y"}]}"##, "5", 0),
        (##"{"oneOf": [{"type": "number"}, {"const": 5}, {"$ref": "#/y"}]}"##, "5", 2),
        (##"{"oneOf": [{"type": "string", "$ref": "#/y"}, {"type": "null"}]}"##, "5", 2),
        (##"{"not": {"$ref": "#/x"}}"##, "5", 0),
        (##"{"not": {"properties": {"a": {"$ref": "#/x"}}}}"##, #"{"a": 1}"#, 0),
        (##"{"not": {"type": "number", "x-unit": "s", "title": "t", "$defs": {}}}"##, "5", 2),
        (##"{"not": {"not": {"$ref": "#/x"}}}"##, "5", 0),
        // What they apply to, only the unknown keyword beside them knows.
        (#"{"patternProperties": {"^x": {}}, "additionalProperties": false}"#, #"{"x1": 1}"#, 0),
        (#"{"patternProperties": {"^x": {}}, "additionalProperties": {"type": "null"}}"#, #"{"x1": 1}"#, 0),
        (#"{"prefixItems": [{"type": "integer"}], "items": {"type": "string"}}"#, #"[1, "a"]"#, 0),
        (#"{"prefixItems": [{"type": "integer"}], "items": {"type": "string"}}"#, "[1, 2]", 2),
        // Of members with the same name the last one applies.
        (#"{"properties": {"a": {"type": "integer"}}}"#, #"{"a": "no", "a": 2}"#, 0),
        (#"{"properties": {"a": {"type": "integer"}}}"#, #"{"a": 2, "a": "no"}"#, 2),
    ])
    func `what is not understood makes no valid value a wrong one`(rule: String, value: String, status: Int32)
        throws
    {
        #expect(try check("{\"k\": \(value)}", schema: "{\"properties\": {\"k\": \(rule)}}").status == status)
    }

    @Test func `a key that a pattern may name is not said to be unknown`() throws {
        let (status, said) = try check(
            #"{"volume": 1, "x1": 2}"#,
            schema:
                #"{"properties": {"volume": {}}, "patternProperties": {"^x": {}}, "additionalProperties": false}"#
        )
        #expect(status == 0)
        #expect(
            said == [
                "note : the schema's patternProperties is not understood here, so it was not checked"
            ])
    }

    @Test(arguments: [
        (#"{"k": 1, "j": 2}"#, #"{"enum": [{"j": 2, "k": 1}]}"#, []),
        (#"{"k": 1}"#, #"{"const": {"k": 2}}"#, [#"warning : as a whole: it has to be {"k": 2}"#]),
        (#"{"b": 1, "c": 1}"#, #"{"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}"#, []),
        (
            #"{"c": 1, "d": 1}"#, #"{"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}"#,
            ["warning : as a whole: it is none of what the schema lists (anyOf)"]
        ),
        (
            "{\n\"k\": 1}", #"{"allOf": [{"required": ["a"]}, {"properties": {"k": {"type": "string"}}}]}"#,
            ["warning:2 k: it has to be of type string", "warning a: the schema asks for this key"]
        ),
    ])
    func `what is said of all settings together is asked of them together`(
        settings: String, schema: String, expected: [String]
    ) throws {
        #expect(try check(settings, schema: schema).said == expected)
    }

    @Test func `of many unknown keys only the first ones get a hint, which takes its time`() throws {
        let settings = (10..<40).map { "\"key\($0)a\": 1" }.joined(separator: ", ")
        let known = (10..<40).map { "\"key\($0)b\": {}" }.joined(separator: ", ")
        let (status, said) = try check("{\(settings)}", schema: "{\"properties\": {\(known)}}")
        #expect(status == 0 && said.count == 30)
        #expect(said.count { $0.contains("did you mean") } == 20)
    }

    @Test func `choices within choices take no time`() throws {
        try place.save(#"{"k": 1}"#)
        try place.shell("chmod 600 \(place.file())")
        let choice = String(repeating: #"{"oneOf": ["#, count: 50)
        let schema = #"{"properties": {"k": "# + choice + "true" + String(repeating: "]}", count: 50) + "}}"
        try Data(schema.utf8).write(to: URL(filePath: place.path + "/schema.json"))
        let run = try place.shell(
            "exec timeout 60 defaultsctl check -s player --schema \(place.path)/schema.json")
        #expect(run.status == 0)
    }

    @Test func `a pattern too deep to be followed is a warning`() throws {
        let pattern = String(repeating: "[", count: 20_000)
        let (status, said) = try check(
            #"{"a": "b"}"#, schema: "{\"properties\": {\"a\": {\"pattern\": \"\(pattern)\"}}}")
        #expect(status == 2)
        #expect(
            said == [
                "warning:1 a: the schema's pattern is longer than 500 bytes, so the value was not checked by it"
            ])
    }

    @Test func `a file that cannot be read is said once`() throws {
        let (status, said) = try check("{\"volume\": }")
        #expect(status == 2 && said.count == 1)
    }

    /// What `check` says of settings beside whose file a schema stands.
    private func checkNamed(_ settings: String, schema: String? = schema, as name: String = "s.json") throws
        -> (
            status: Int32, said: [String]
        )
    {
        try place.save(settings)
        try place.shell("chmod 600 \(place.file())")
        if let schema { try Data(schema.utf8).write(to: URL(filePath: place.file(name))) }
        let run = try place.run("check", "-s", "player", "--json")
        let findings = try #require(try run.object()["findings"] as? [[String: Any]])
        return (
            run.status, findings.map { "\($0["severity"] ?? "") \($0["key"] ?? ""): \($0["reason"] ?? "")" }
        )
    }

    @Test(arguments: [
        ("./s.json", "s.json"), ("s.json#", "s.json"), ("./a%20%C3%A9.json", "a é.json"),
        ("%2.json", "%2.json"),
    ])
    func `the schema that the settings name is asked too`(reference: String, name: String) throws {
        let (status, said) = try checkNamed(
            "{\n\"$schema\": \"\(reference)\", \"size\": 0.5, \"other\": 1}", as: name)
        #expect(status == 2)
        #expect(
            said == ["warning size: it has to be of type integer", "note other: the schema has no such key"])
    }

    @Test func `the schema stands beside a file whose name begins with an accent too`() throws {
        let path = place.file("\u{301}a.json")
        try place.run("write", "$schema", "./s.json", "-f", path)
        try place.run("write", "size", "0.5", "-f", path)
        try Data(Self.schema.utf8).write(to: URL(filePath: place.file("s.json")))
        let run = try place.run("check", "-f", path)
        #expect(run.status == 2 && run.output.contains("size: it has to be of type integer"))
    }

    @Test(arguments: ["file://", "file:", "FILE://", "file://localhost"])
    func `a whole file URI is followed, and --schema comes first`(_ beginning: String) throws {
        let named = beginning + place.file("s.json")
        #expect(try checkNamed("{\"$schema\": \"\(named)\", \"size\": 0.5}").status == 2)
        try Data("{}".utf8).write(to: URL(filePath: place.path + "/all.json"))
        #expect(try place.run("check", "-s", "player", "--schema", place.path + "/all.json").status == 0)
    }

    @Test func `a schema that cannot be asked is a warning, one on the network a note`() throws {
        let missing = try checkNamed(#"{"$schema": "./none.json"}"#)
        #expect(missing.status == 2)
        let path = place.file("none.json").replacing("/none", with: "/./none")
        #expect(
            missing.said == ["warning $schema: there is no file \(path), so the values were not checked"])
        let broken = try checkNamed(#"{"$schema": "./s.json"}"#, schema: "{")
        #expect(broken.status == 2 && broken.said.count == 1)
        #expect(
            try checkNamed(#"{"$schema": 5}"#).said == [
                "warning $schema: it is no text, so the values were not checked"
            ])
        for name in ["https://a.example/s.json", "file://a.example\(place.file("s.json"))"] {
            let remote = try checkNamed("{\"$schema\": \"\(name)\", \"size\": 0.5}")
            #expect(remote.status == 0)
            #expect(
                remote.said == [
                    "note $schema: the schema is not a file of this machine (--schema names a copy), so the values were not checked"
                ])
        }
    }

    @Test func `what names the schema and the migrations need not be in it`() throws {
        let closed = #"{"properties": {"a": {"type": "integer"}}, "additionalProperties": false}"#
        let (status, said) = try checkNamed(
            #"{"$schema": "./s.json", "$migrations": ["x"], "$migrationLists": {"l": ["x"]}, "a": 1}"#,
            schema: closed)
        #expect(status == 0 && said == [])
    }

    @Test func `what names the schema or the migrations is no setting to list and read, and stays in a dump`()
        throws
    {
        try place.save(#"{"$schema": "./s.json", "$migrations": ["x"], "a": 1}"#)
        try place.use()
        #expect(try place.run("read", "-s", "player").output == "a\t1\n")
        #expect(try place.run("read", "$migrations", "-s", "player").output.contains("\"x\""))
        let list = try #require(try place.run("list", "--json").json() as? [[String: Any]])
        #expect(list.map { $0["keys"] as? Int } == [1])
        #expect(try place.run("read", "$schema", "-s", "player").output == "./s.json\n")
        #expect(
            try place.run("dump", "-s", "player").object().keys.sorted() == ["$migrations", "$schema", "a"])
        let replaced = try place.run("load", "--replace", "-s", "player", input: #"{"b": 2}"#)
        #expect(replaced.output == "1 set, 2 removed, 0 unchanged\n")
        #expect(try place.run("dump", "-s", "player").object().keys.sorted() == ["$schema", "b"])
    }
}
