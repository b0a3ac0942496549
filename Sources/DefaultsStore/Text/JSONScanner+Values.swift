/// Reads values of any kind, into memory or past them.
extension JSONScanner {
    /// Reads a value, which has to come next.
    package mutating func value() throws(JSONFault) -> DefaultsValue {
        switch next {
        case UInt8(ascii: "\""):
            switch try string() {
            case .whole(let text): return .string(text)
            case let text: return .verbatim(DefaultsVerbatim(text))
            }
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if depth > JSONScanner.deepest, depth < levels { return try verbatim() }
            return next == UInt8(ascii: "{") ? .object(try object()) : .array(try array())
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
    ///
    /// Not by calling itself, because a file may be nested more deeply than a thread's stack.
    @discardableResult
    package mutating func skipValue() throws(JSONFault) -> Range<Int> {
        let start = position
        var list: List?
        /// The signs that close the lists around it.
        var outer: [UInt8] = []
        repeat {
            if next == UInt8(ascii: "{") || next == UInt8(ascii: "["), let open = next {
                if let list { outer.append(list.close) }
                list = try begin(open)
            } else {
                try skipScalar()
            }
            while var present = list {
                if try advance(&present) {
                    if present.isOfMembers { try skipKey() }
                    list = present
                    break
                }
                list = outer.popLast().map { List(continuing: $0) }
            }
        } while list != nil
        return start..<position
    }

    private mutating func skipScalar() throws(JSONFault) {
        switch next {
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "t"): try skipWord("true")
        case UInt8(ascii: "f"): try skipWord("false")
        case UInt8(ascii: "n"): try skipWord("null")
        default: try skipNumber()
        }
    }

    /// Passes a list that is nested more deeply than values are built.
    private mutating func verbatim() throws(JSONFault) -> DefaultsValue {
        .verbatim(DefaultsVerbatim(nested: bytes[try skipValue()]))
    }

    private mutating func object() throws(JSONFault) -> DefaultsObject {
        var members: [DefaultsObject.Element] = []
        var verbatim: Set<Int> = []
        var list = try begin(UInt8(ascii: "{"))
        while try advance(&list) {
            switch try key() {
            case .whole(let name): members.append((key: name, value: try value()))
            case .withHalves(let name):
                verbatim.insert(members.count)
                members.append((key: name, value: try value()))
            }
        }
        return DefaultsObject(members, verbatim: verbatim)
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
