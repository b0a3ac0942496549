/// Reads numbers.
extension JSONScanner {
    /// Whether a text is a JSON number and nothing else.
    static func isNumber(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        var scanner = JSONScanner(bytes[...])
        do {
            try scanner.skipNumber()
            return scanner.position == bytes.endIndex
        } catch {
            return false
        }
    }

    mutating func number() throws(JSONFault) -> DefaultsNumber {
        let start = position
        try skipNumber()
        return DefaultsNumber(trusted: String(decoding: bytes[start..<position], as: UTF8.self))
    }

    /// Passes a number, whose sign or first digit has to come next.
    mutating func skipNumber() throws(JSONFault) {
        let isNegative = next == UInt8(ascii: "-")
        if isNegative { position += 1 }
        if next == UInt8(ascii: "0") {
            position += 1
            if next.map(\.isDigit) == true { throw fault("a number may not begin with a zero") }
        } else {
            try skipDigits(isNegative ? "expected a digit after the minus" : "expected a value")
        }
        if next == UInt8(ascii: ".") {
            position += 1
            try skipDigits("expected a digit after the decimal point")
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try skipDigits("expected a digit in the exponent")
        }
    }

    private mutating func skipDigits(_ expectation: String) throws(JSONFault) {
        guard next.map(\.isDigit) == true else { throw unexpected(expectation) }
        while position < bytes.endIndex, bytes[position].isDigit { position += 1 }
    }
}
