import DefaultsStore

/// What a schema says of a key, for a person who looks for a setting.
struct KeyDescription {
    let key: String
    private let schema: DefaultsObject
    private let isWriteOnly: Bool

    init?(_ key: String, in schema: Schema) {
        guard let property = schema.property(key) else { return nil }
        (self.key, self.schema, isWriteOnly) = (key, property, schema.isWriteOnly(key))
    }

    /// A key that no schema has.
    init(unknown key: String) { (self.key, schema, isWriteOnly) = (key, [:], false) }

    /// All keys of a schema that are settings, in its order.
    static func all(in schema: Schema) -> [KeyDescription] {
        schema.keys.filter(DefaultsSuite.isSetting).compactMap { KeyDescription($0, in: schema) }
    }

    /// The purpose, as the program declares it.
    var text: String? { schema["description"]?.string }

    /// The value where nothing is stored; that of a secret is not told.
    var standard: DefaultsValue? { isWriteOnly ? .none : schema["default"] }

    /// The values that the schema lists.
    var listed: [DefaultsValue] { schema["enum"]?.array ?? [] }

    /// The values to choose from; empty if they are not listed.
    var choices: [DefaultsValue] { KeyDescription.choices(schema) }

    /// Whether its values are texts; nil if that is not said.
    var isText: Bool? { KeyDescription.types(schema).first.map { $0 == "string" } }

    /// What is allowed, in words.
    var allowed: String { schema.isEmpty ? "" : KeyDescription.words(schema) }

    /// For scripts.
    var members: [DefaultsObject.Element] {
        let members: DefaultsValue = .members([
            "key": .string(key), "description": text.map { .string($0) },
            "allowed": schema.isEmpty ? nil : .string(allowed),
            "choices": choices.isEmpty ? nil : .array(choices), "default": standard,
            "isWriteOnly": isWriteOnly ? true : nil,
            "schema": isWriteOnly || schema.isEmpty ? nil : .object(schema),
        ])
        return Array(members.object ?? [:])
    }
}

/// A schema in words.
extension KeyDescription {
    /// The values that a schema lists.
    static func choices(_ schema: DefaultsObject) -> [DefaultsValue] {
        if let all = schema["enum"]?.array { return all }
        return types(schema).contains("boolean") ? [true, false] : []
    }

    private static func types(_ schema: DefaultsObject) -> [String] {
        (schema["type"]?.array ?? [schema["type"]].compactMap(\.self)).compactMap(\.string)
    }

    /// `whole number from 1 to 64`, `one of light, dark`, `text or null`.
    static func words(_ schema: DefaultsObject) -> String {
        if let all = schema["enum"]?.array { return "one of " + list(all.map(JSONText.oneLine)) }
        if let constant = schema["const"] { return JSONText.oneLine(constant) }
        let types = types(schema)
        let null = types.contains("null") ? " or null" : ""
        if let form = form(schema) { return form + null }
        var words = types.filter { $0 != "null" }
        // A text beside a number is a number that JSON has no number for.
        if words.contains("number") { words.removeAll { $0 == "string" } }
        return words.isEmpty ? "anything" : words.map { word($0, schema) }.joined(separator: " or ") + null
    }

    /// The words for a form that texts of a program's types have.
    private static func form(_ schema: DefaultsObject) -> String? {
        switch schema["format"]?.string {
        case "date-time": return "time"
        case "uuid": return "identifier"
        case "uri-reference": return "address"
        default: break
        }
        if schema["contentEncoding"] == "base64" { return "bytes in base64" }
        let examples = schema["examples"]?.array ?? []
        return examples.isEmpty ? nil : "such as " + list(examples.map(JSONText.oneLine))
    }

    private static func word(_ type: String, _ schema: DefaultsObject) -> String {
        switch type {
        case "integer": "whole number" + range(schema)
        case "number": "number" + range(schema)
        case "boolean": "true or false"
        case "string":
            "text" + (schema["pattern"]?.string.map { " that matches \(SafeText.escaped($0))" } ?? "")
        case "array": "list" + each("; each ", schema["items"])
        case "object": "object" + members(schema)
        default: SafeText.escaped(type)
        }
    }

    /// The bounds, without those that every number of a program has.
    private static func range(_ schema: DefaultsObject) -> String {
        func bound(_ word: String, _ name: String, _ isUsual: (DefaultsNumber) -> Bool) -> String {
            guard case .number(let number)? = schema[name], !isUsual(number) else { return "" }
            return " \(word) \(number)"
        }
        return bound("from", "minimum") { $0.exactly(Int64.self) == .min }
            + bound("above", "exclusiveMinimum") { _ in false }
            + bound("to", "maximum") { $0.exactly(Int64.self) == .max || $0.exactly(UInt64.self) == .max }
            + bound("below", "exclusiveMaximum") { _ in false }
    }

    private static func members(_ schema: DefaultsObject) -> String {
        let names = (schema["properties"]?.object ?? [:]).map { SafeText.name($0.key) }
        guard !names.isEmpty else { return each("; each member ", schema["additionalProperties"]) }
        return (schema["oneOf"] == nil ? " with " : " with one of ") + list(names)
    }

    private static func each(_ words: String, _ schema: DefaultsValue?) -> String {
        guard let schema = schema?.object, !schema.isEmpty else { return "" }
        return words + self.words(schema)
    }

    private static func list(_ words: [String]) -> String {
        (words.prefix(20) + (words.count > 20 ? ["..."] : [])).joined(separator: ", ")
    }
}
