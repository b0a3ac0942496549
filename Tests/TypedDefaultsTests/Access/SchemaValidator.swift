/// A JSON Schema validator that knows nothing of this library.
import Foundation
import TestSupport
import Testing
import TypedDefaults

extension Trait where Self == ConditionTrait {
    /// Runs where Python has the package jsonschema, or pip can install it.
    static var jsonschema: ConditionTrait {
        .enabled(if: SchemaValidator.isThere, "Python's jsonschema is not there, and pip cannot install it")
    }
}

/// Python with the package jsonschema.
enum SchemaValidator {
    private static let folder = FileManager.default.temporaryDirectory.appending(
        path: "typed-defaults-jsonschema"
    ).path

    /// Whether it could be had; installed by pip into a folder of the tests where it is missing.
    static let isThere: Bool = {
        do {
            if try run(["-c", "import jsonschema"]).status == 0 { return true }
            let install = ["-m", "pip", "install", "--quiet", "--target", folder, "jsonschema"]
            return try run(install).status == 0 && run(["-c", "import jsonschema"]).status == 0
        } catch {
            return false
        }
    }()

    /// Whether each of some settings files is one that a schema's text allows; the schema itself has to be sound.
    static func verdicts(on instances: [DefaultsObject], _ schema: String) throws -> [Bool] {
        let folder = try TemporaryFolder()
        try folder.write(schema, to: "schema")
        try folder.write(
            instances.map { DefaultsValue.object($0).description }.joined(separator: "\n"), to: "instances")
        let script = """
            import json, sys, jsonschema
            schema = json.load(open(sys.argv[1] + "/schema"))
            jsonschema.Draft202012Validator.check_schema(schema)
            validator = jsonschema.Draft202012Validator(schema)
            for line in open(sys.argv[1] + "/instances"):
                print(validator.is_valid(json.loads(line)))
            """
        let said = try run(["-c", script, folder.path])
        try #require(said.status == 0, "\(said.output)")
        return said.output.split(separator: "\n").map { $0 == "True" }
    }

    private static func run(_ arguments: [String]) throws -> Tool {
        // With a limit, because pip tries for minutes where there is no network.
        try Tool.run("/usr/bin/env", ["PYTHONPATH=\(folder)", "timeout", "120", "python3"] + arguments)
    }
}
