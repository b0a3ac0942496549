/// Reads values of any kind, into memory or past them.
extension JSONScanner {
    /// Reads a value, which has to come next.
    package mutating func value() throws(JSONFault) -> DefaultsValue {
        switch next {
        case UInt8(ascii: "\""):
            return .string(try string())
        case UInt8(ascii: "{"):
            return .object(try object())
        case UInt8(ascii: "["):
            return .array(try array())
        case UInt8(ascii: "t"):
            try skipWord("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try skipWord("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try skipWord("null")
            return .null
        default:
            return .number(try number())
        }
    }

    /// Passes a value, which has to come next, and returns its range; nothing is built.
    @discardableResult
    package mutating func skipValue() throws(JSONFault) -> Range<Int> {
        let start = position
        switch next {
        case UInt8(ascii: "\""):
            try skipString()
        case UInt8(ascii: "{"):
            var list = try begin(UInt8(ascii: "{"))
            while try advance(&list) {
                try skipKey()
                try skipValue()
            }
        case UInt8(ascii: "["):
            var list = try begin(UInt8(ascii: "["))
            while try advance(&list) { try skipValue() }
        case UInt8(ascii: "t"):
            try skipWord("true")
        case UInt8(ascii: "f"):
            try skipWord("false")
        case UInt8(ascii: "n"):
            try skipWord("null")
        default:
            try skipNumber()
        }
        return start..<position
    }

    private mutating func object() throws(JSONFault) -> DefaultsObject {
        var members: [DefaultsObject.Element] = []
        var list = try begin(UInt8(ascii: "{"))
        while try advance(&list) { members.append((key: try key(), value: try value())) }
        return DefaultsObject(members)
    }

    private mutating func array() throws(JSONFault) -> [DefaultsValue] {
        var elements: [DefaultsValue] = []
        var list = try begin(UInt8(ascii: "["))
        while try advance(&list) { elements.append(try value()) }
        return elements
    }

    private mutating func skipWord(_ word: String) throws(JSONFault) {
        guard bytes[position...].starts(with: word.utf8) else { throw unexpected("expected a value") }
        position += word.utf8.count
    }
}
