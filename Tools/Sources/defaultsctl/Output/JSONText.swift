import DefaultsStore

/// Writes JSON: every digit and member as it is stored, and nothing in it that a terminal would obey.
enum JSONText {
    /// A value on one line.
    static func oneLine(_ value: DefaultsValue) -> String {
        switch value {
        case .string(let text): quoted(text)
        case .array(let elements): "[" + elements.map(oneLine).joined(separator: ", ") + "]"
        case .object(let members):
            "{"
                + members.indices.map { name($0, of: members) + ": " + oneLine(members[$0].value) }
                .joined(separator: ", ") + "}"
        default: value.description
        }
    }

    /// A value with a member or element a line.
    static func indented(_ value: DefaultsValue, colour: Bool = false, _ indent: String = "") -> String {
        let inner = indent + "  "
        switch value {
        case .array(let elements) where !elements.isEmpty:
            let lines = elements.map { inner + indented($0, colour: colour, inner) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(indent)]"
        case .object(let members) where !members.isEmpty:
            let lines = members.indices.map {
                inner + Colour.key(name($0, of: members), if: colour) + ": "
                    + indented(members[$0].value, colour: colour, inner)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        case .array, .object: return oneLine(value)
        default: return Colour.value(oneLine(value), if: colour)
        }
    }

    /// A member's name, which may be one that only JSON can write.
    private static func name(_ position: Int, of members: DefaultsObject) -> String {
        let name = members[position].key
        return members.isRawJSON(at: position) ? "\"\(name)\"" : quoted(name)
    }

    /// A string's text, quotes included.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += #"\""#
            case "\\": result += #"\\"#
            case _ where SafeText.isUnsafe(scalar): result += SafeText.escape(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension DefaultsValue {
    /// An object of the members that there are: one whose value is nil is left out.
    static func members(_ members: KeyValuePairs<String, DefaultsValue?>) -> DefaultsValue {
        .object(DefaultsObject(members.compactMap { key, value in value.map { (key, $0) } }))
    }

    /// A whole number.
    static func count(_ number: some BinaryInteger) -> DefaultsValue { .number(DefaultsNumber(number)) }
}
