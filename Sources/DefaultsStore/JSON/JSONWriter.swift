/// Writes values as JSON on one line: `{"a": 1, "b": [1, 2]}`.
///
/// Only quotes, backslashes and control characters are escaped; numbers keep their own text.
package enum JSONWriter {
    package static func text(of value: DefaultsValue) -> [UInt8] {
        var text: [UInt8] = []
        append(value, to: &text)
        return text
    }

    /// Quotes included.
    package static func quoted(_ string: String) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(string.utf8.count + 2)
        append(string, to: &text)
        return text
    }

    private static func append(_ value: DefaultsValue, to text: inout [UInt8]) {
        switch value {
        case .null: text += "null".utf8
        case .bool(let bool): text += (bool ? "true" : "false").utf8
        case .number(let number): text += number.text.utf8
        case .string(let string): append(string, to: &text)
        case .array(let elements): append(elements, to: &text)
        case .object(let members): append(members, to: &text)
        case .rawJSON(let rawJSON): text += rawJSON.text.utf8
        }
    }

    private static func append(_ elements: [DefaultsValue], to text: inout [UInt8]) {
        text.append(UInt8(ascii: "["))
        for (position, element) in elements.enumerated() {
            if position > 0 { text += ", ".utf8 }
            append(element, to: &text)
        }
        text.append(UInt8(ascii: "]"))
    }

    private static func append(_ members: DefaultsObject, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "{"))
        for (position, member) in members.enumerated() {
            if position > 0 { text += ", ".utf8 }
            if members.isRawJSON(at: position) {
                text += JSONString.withHalves(member.key).quoted
            } else {
                append(member.key, to: &text)
            }
            text += ": ".utf8
            append(member.value, to: &text)
        }
        text.append(UInt8(ascii: "}"))
    }

    /// Appends a string in quotes.
    static func append(_ string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        defer { text.append(UInt8(ascii: "\"")) }
        var string = string
        // A pointer, because a string without anything to escape is copied as a whole; it is read inside the closure
        // only.
        let isPlain = string.withUTF8 { bytes in
            guard bytes.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
            else { return false }
            text.append(contentsOf: bytes)
            return true
        }
        if !isPlain { appendEscaped(Array(string.utf8), to: &text) }
    }

    /// Appends bytes that are UTF-8 except for halves of surrogate pairs, which are escaped too.
    static func appendEscaped(_ bytes: [UInt8], to text: inout [UInt8]) {
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""): text += #"\""#.utf8
            case UInt8(ascii: "\\"): text += #"\\"#.utf8
            case 0x00...0x1F: text += escape(of: byte).utf8
            case 0xED where bytes[index] >= 0xA0:
                let code = 0xD000 | UInt16(bytes[index] & 0x3F) << 6 | UInt16(bytes[index + 1] & 0x3F)
                text += (#"\u"# + String(code, radix: 16, uppercase: true)).utf8
                index += 2
            default: text.append(byte)
            }
        }
    }

    /// Returns a validated value's text without line ends, comments and trailing commas, and how deeply it is nested;
    /// what remains is as it was written.
    static func onOneLine(_ text: ArraySlice<UInt8>) -> (bytes: [UInt8], depth: Int) {
        var line: [UInt8] = []
        line.reserveCapacity(text.count)
        var (index, hasComma) = (text.startIndex, false)
        var (depth, deepest) = (0, 0)
        while index < text.endIndex {
            let (sign, start) = (text[index], index)
            index += 1
            switch sign {
            case _ where sign.isWhiteSpace: continue
            case UInt8(ascii: "/"):
                index = JSONScanner.endOfComment(at: start, in: text)
                continue
            case UInt8(ascii: ","):
                hasComma = true
                continue
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                hasComma = false
                depth -= 1
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                deepest = max(deepest, depth)
            case UInt8(ascii: "\""):
                while text[index] != UInt8(ascii: "\"") { index += text[index] == UInt8(ascii: "\\") ? 2 : 1 }
                index += 1
            default: break
            }
            if hasComma { line += ", ".utf8 }
            hasComma = false
            line += text[start..<index]
            if sign == UInt8(ascii: ":") { line.append(UInt8(ascii: " ")) }
        }
        return (line, deepest)
    }

    private static func escape(of control: UInt8) -> String {
        switch control {
        case 0x08: #"\b"#
        case 0x09: #"\t"#
        case 0x0A: #"\n"#
        case 0x0C: #"\f"#
        case 0x0D: #"\r"#
        case 0x00...0x0F: #"\u000"# + String(control, radix: 16, uppercase: true)
        default: #"\u00"# + String(control, radix: 16, uppercase: true)
        }
    }
}
