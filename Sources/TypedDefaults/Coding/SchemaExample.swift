import DefaultsStore

/// A value that a schema of the library allows, to be decoded.
enum SchemaExample {
    /// Returns a value; nil if the schema says nothing about it.
    static func of(_ schema: DefaultsObject) -> DefaultsValue? {
        if let first = schema["enum"]?.array?.first { return first }
        let types = schema["type"]?.array ?? [schema["type"]].compactMap(\.self)
        return switch types.first {
        case "boolean": true
        case "integer", "number": number(schema)
        case "string": string(schema, mayBeNumber: types.contains("number"))
        case "array": []
        case "object": .object(members(schema))
        case "null": .null
        default: nil
        }
    }

    /// Not 0, by which a type may divide.
    private static func number(_ schema: DefaultsObject) -> DefaultsValue {
        let (least, greatest) = (schema["minimum"]?.double ?? 1, schema["maximum"]?.double ?? 1)
        return least > 1 ? schema["minimum"] ?? 1 : greatest < 1 ? schema["maximum"] ?? 1 : 1
    }

    private static func string(_ schema: DefaultsObject, mayBeNumber: Bool) -> DefaultsValue {
        switch schema["format"] {
        case "date-time": "2001-01-01T00:00:00Z"
        case "uri-reference": "https://example.org"
        case "uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        default: schema["contentEncoding"] != nil ? "AQ==" : mayBeNumber ? 1 : "a"
        }
    }

    /// The members that have to be there, of which a choice has one.
    private static func members(_ schema: DefaultsObject) -> DefaultsObject {
        let required = (schema["required"] ?? schema["oneOf"]?.array?.first?["required"])?.array ?? []
        let names = required.compactMap(\.string)
        return DefaultsObject(
            names.compactMap { name in
                of(schema["properties"]?[name]?.object ?? [:]).map { (key: name, value: $0) }
            })
    }
}
