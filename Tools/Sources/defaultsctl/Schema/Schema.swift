import DefaultsStore

/// A JSON Schema (draft 2020-12), as far as settings need it: what `Defaults.schema(of:)` writes, and the common rest.
struct Schema {
    private let root: DefaultsObject
    /// The values of each long `enum`, by the number that stands beside it: to look through one for each value of a long
    /// list would take minutes.
    private let choices: [Set<DefaultsValue>]

    /// Something of a value that the schema does not allow.
    struct Objection {
        /// The way to it: `window.width`, `recent[2]`.
        let path: String
        /// What is asked for, without the value.
        let reason: String

        /// The same, where the key itself has been named.
        func reason(forKey key: String) -> String {
            path == SafeText.name(key) ? reason : "at \(path): \(reason)"
        }
    }

    /// Reads a schema's file that a person names, which may be a pipe.
    init(file: String) throws { self.init(try InputText.object(from: file)) }

    /// Reads a schema's file that another file names.
    init(foreignFile: String) throws { self.init(try InputText.object(fromForeign: foreignFile)) }

    private init(_ text: DefaultsObject) {
        var choices: [Set<DefaultsValue>] = []
        root = Schema.numbered(.object(text), &choices).object ?? [:]
        self.choices = choices
    }

    /// The member in which the number of a long `enum` stands.
    private static let number = "x-defaultsctl-choices"

    /// Returns a schema with a number beside each long `enum`, and collects those.
    private static func numbered(_ schema: DefaultsValue, _ choices: inout [Set<DefaultsValue>])
        -> DefaultsValue
    {
        guard let members = schema.object else {
            return schema.array.map { .array($0.map { numbered($0, &choices) }) } ?? schema
        }
        var result: [DefaultsObject.Element] = []
        for (key, value) in members where key != number {
            guard key == "enum", let all = value.array else {
                // What a value may be is no schema.
                let isValue = key == "const" || key == "default" || key == "examples"
                result.append((key: key, value: isValue ? value : numbered(value, &choices)))
                continue
            }
            result.append((key: key, value: value))
            guard all.count > 16 else { continue }
            result.append((key: number, value: .count(choices.count)))
            choices.append(Set(all))
        }
        return .object(DefaultsObject(result))
    }

    /// Whether an `enum` has a value.
    func hasChoice(_ value: DefaultsValue, _ all: [DefaultsValue], _ schema: DefaultsObject) -> Bool {
        if let number = schema[Schema.number]?.int {
            choices[number].contains(value)
        } else {
            all.contains(value)
        }
    }

    /// What is wrong with one member of a settings file, whatever the others are.
    func objections(to member: DefaultsObject.Element) -> [Objection] {
        Schema.sameLevel(.object(root)).compactMap(\.object).flatMap { schema in
            let others = DefaultsObject(schema.filter { $0.key != "required" })
            return partObjections(to: .object(DefaultsObject([member])), others, "")
        }
    }

    /// What is wrong with all members together, which is the fault of none of them alone.
    func reasons(against members: DefaultsObject) -> [String] {
        Schema.sameLevel(.object(root)).flatMap { schema in
            schema.bool == false
                ? ["nothing may be here"] : reasons(against: .object(members), schema.object ?? [:])
        }
    }

    /// The names of members that have to be there and are not.
    func missing(in members: DefaultsObject) -> [String] {
        var names: [String] = []
        for schema in Schema.sameLevel(.object(root)) {
            let required = (schema.object?["required"]?.array ?? []).compactMap(\.string)
            names += required.filter { members[$0] == nil && !names.contains($0) }
        }
        return names
    }

    /// A schema, and those that hold for the same value because it has them in `allOf`.
    private static func sameLevel(_ schema: DefaultsValue) -> [DefaultsValue] {
        [schema] + (schema.object?["allOf"]?.array ?? []).flatMap(sameLevel)
    }

    /// The names of members that the schema does not name; none where patterns may be what names them.
    func unknownKeys(of members: DefaultsObject) -> [String] {
        guard let known = root["properties"]?.object, root["patternProperties"] == nil else { return [] }
        return members.map(\.key).filter { known[$0] == nil }
    }

    /// What it says of a key's values; nil for a key that it does not have.
    func property(_ key: String) -> DefaultsObject? {
        Schema.sameLevel(.object(root)).lazy.compactMap { $0["properties"]?[key]?.object }.first
    }

    /// The names that the schema has.
    var keys: [String] { root["properties"]?.object?.map(\.key) ?? [] }

    /// Keywords that are not understood, so that nobody takes silence for agreement.
    var unknownKeywords: [String] {
        Set(Schema.keywords(in: .object(root)).filter { !Schema.isKnown($0) }).sorted()
    }

    private static func isKnown(_ keyword: String) -> Bool {
        known.contains(keyword) || keyword.hasPrefix("x-")
    }

    /// Whether a schema has nothing but keywords that are understood, so that what it has no objection to is right.
    static func isUnderstood(_ schema: DefaultsValue) -> Bool { keywords(in: schema).allSatisfy(isKnown) }

    private static let annotations: Set<String> = [
        "$schema", "$id", "$comment", "title", "description", "default", "examples", "deprecated", "readOnly",
        "writeOnly", "format", "contentEncoding", "contentMediaType", "$defs", "$anchor",
    ]
    private static let known: Set<String> = annotations.union([
        "type", "enum", "const", "anyOf", "allOf", "oneOf", "not", "properties", "required",
        "additionalProperties",
        "items", "minItems", "maxItems", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
        "minLength",
        "maxLength", "pattern",
    ])

    private static func keywords(in schema: DefaultsValue) -> [String] {
        (schema.object ?? [:]).flatMap { [$0.key] + parts(of: $0).flatMap(keywords) }
    }

    /// The schemas that are the value of a keyword.
    private static func parts(of keyword: DefaultsObject.Element) -> [DefaultsValue] {
        switch keyword.key {
        case "properties": (keyword.value.object ?? [:]).map(\.value)
        case "items", "additionalProperties", "not": [keyword.value]
        case "anyOf", "allOf", "oneOf": keyword.value.array ?? []
        default: []
        }
    }

    /// Whether a member's value is not to be shown, because the schema calls it, or something in it, `writeOnly`.
    func isWriteOnly(_ key: String) -> Bool {
        Schema.sameLevel(.object(root)).compactMap { $0.object?["properties"]?.object?[key] }
            .contains(where: Schema.isWriteOnly)
    }

    private static func isWriteOnly(_ schema: DefaultsValue) -> Bool {
        guard let members = schema.object else { return false }
        return members["writeOnly"]?.bool == true
            || members.contains { parts(of: $0).contains(where: isWriteOnly) }
    }

    /// What is wrong with a value; `true` and `{}` allow everything, `false` nothing.
    func objections(to value: DefaultsValue, _ schema: DefaultsValue, _ path: String) -> [Objection] {
        if schema.bool == false { return [Objection(path: path, reason: "nothing may be here")] }
        return objections(to: value, schema.object ?? [:], path)
    }

    private func objections(
        to value: DefaultsValue, _ schema: DefaultsObject, _ path: String
    ) -> [Objection] {
        reasons(against: value, schema).map { Objection(path: path, reason: $0) }
            + (schema["allOf"]?.array ?? []).flatMap { objections(to: value, $0, path) }
            + partObjections(to: value, schema, path)
    }

    /// What is wrong with a value itself.
    private func reasons(against value: DefaultsValue, _ schema: DefaultsObject) -> [String] {
        [
            kindReason(value, schema), Schema.numberReason(value, schema), Schema.textReason(value, schema),
            Schema.listReason(value, schema), choiceReason(value, schema),
        ]
        .compactMap { $0 }
    }

    /// Of the members of an object and the elements of a list.
    private func partObjections(
        to value: DefaultsValue, _ schema: DefaultsObject, _ path: String
    ) -> [Objection] {
        if let elements = value.array, let items = schema["items"] {
            // The first ones have schemas of their own there, which are not understood.
            let others = elements.enumerated().dropFirst(schema["prefixItems"]?.array?.count ?? 0)
            return others.flatMap {
                objections(to: $0.element, items, "\(path)[\($0.offset)]")
            }
        }
        guard let members = value.object else { return [] }
        let properties = schema["properties"]?.object
        let missing = (schema["required"]?.array ?? []).compactMap(\.string).filter { members[$0] == nil }
        // Which members are others, only the patterns know.
        let others = schema["patternProperties"] == nil ? schema["additionalProperties"] : nil
        return missing.map { Objection(path: path, reason: "it has no member \(SafeText.name($0))") }
            + members.counting.flatMap { name, part -> [Objection] in
                let place = path.isEmpty ? SafeText.name(name) : path + "." + SafeText.name(name)
                if let rule = properties?[name] { return objections(to: part, rule, place) }
                if others?.bool == false {
                    return [Objection(path: place, reason: "the schema has no such key")]
                }
                return others.map { objections(to: part, $0, place) } ?? []
            }
    }
}

extension DefaultsObject {
    /// The members that count: of several with the same name the last one.
    var counting: [Element] {
        var seen: Set<DefaultsValue> = []
        return reversed().filter { seen.insert(.string($0.key)).inserted }.reversed()
    }
}
