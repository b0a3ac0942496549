/// Reads strings.
extension JSONScanner {
    /// Reads a string, whose opening quote has to come next.
    package mutating func string() throws(JSONFault) -> JSONString {
        try expect(UInt8(ascii: "\""), "expected a string in double quotes")
        var decoded: [UInt8] = []
        var isWhole = true
        while true {
            let start = position
            try skipUnescaped()
            if bytes[position] == UInt8(ascii: "\"") {
                let rest = bytes[start..<position]
                position += 1
                if decoded.isEmpty { return .whole(String(decoding: rest, as: UTF8.self)) }
                decoded += rest
                return isWhole
                    ? .whole(String(decoding: decoded, as: UTF8.self)) : JSONString(withHalves: decoded)
            }
            decoded += bytes[start..<position]
            let code = try escape()
            if let scalar = Unicode.Scalar(code) {
                decoded += UTF8.encode(scalar).map { Array($0) } ?? []
            } else {
                decoded += JSONString.half(code)
                isWhole = false
            }
        }
    }

    mutating func skipString() throws(JSONFault) {
        try expect(UInt8(ascii: "\""), "expected a string in double quotes")
        while true {
            try skipUnescaped()
            if bytes[position] == UInt8(ascii: "\"") { break }
            _ = try escape()
        }
        position += 1
    }

    /// Passes text up to the next quote or backslash.
    private mutating func skipUnescaped() throws(JSONFault) {
        while position < bytes.endIndex {
            switch bytes[position] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                return
            case 0x20...0x7F:
                position += 1
            case 0x80...:
                guard let length = lengthOfSequence(at: position) else { throw fault(Self.invalidUTF8) }
                position += length
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                throw fault("the string does not end on its line")
            default:
                throw fault("a control character in a string has to be escaped")
            }
        }
        throw fault("the text ends inside a string")
    }

    /// Reads an escape, whose backslash comes next: a scalar, or half of a surrogate pair that stands alone.
    private mutating func escape() throws(JSONFault) -> UInt32 {
        let start = position
        position += 1
        let kind = next
        guard kind != UInt8(ascii: "u") else { return try unicodeEscape(from: start) }
        guard let scalar = kind.flatMap(Self.scalar(escapedBy:)) else {
            throw fault("the escape is not one JSON knows", at: start)
        }
        position += 1
        return scalar.value
    }

    private static func scalar(escapedBy letter: UInt8) -> Unicode.Scalar? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): Unicode.Scalar(letter)
        case UInt8(ascii: "b"): "\u{8}"
        case UInt8(ascii: "f"): "\u{C}"
        case UInt8(ascii: "n"): "\n"
        case UInt8(ascii: "r"): "\r"
        case UInt8(ascii: "t"): "\t"
        default: nil
        }
    }

    private mutating func unicodeEscape(from start: Int) throws(JSONFault) -> UInt32 {
        position += 1
        let code = try hexDigits(from: start)
        guard 0xD800..<0xDC00 ~= code,
            bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")])
        else { return code }
        let second = position
        position += 2
        let low = try hexDigits(from: second)
        if 0xDC00..<0xE000 ~= low { return 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00) }
        // This half stands alone; what follows may be the first half of a pair.
        position = second
        return code
    }

    private mutating func hexDigits(from start: Int) throws(JSONFault) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
                throw fault("\\u takes four hexadecimal digits", at: start)
            }
            code = code << 4 | UInt32(digit)
            position += 1
        }
        return code
    }
}
