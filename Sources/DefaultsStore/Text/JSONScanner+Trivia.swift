/// Passes white space and comments.
extension JSONScanner {
    /// Passes white space and comments.
    package mutating func skipTrivia() throws(JSONFault) {
        while position < bytes.endIndex {
            switch bytes[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"):
                position += 1
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                isPlain = false
                position += 1
            case UInt8(ascii: "/"):
                isPlain = false
                try skipComment()
            default:
                return
            }
        }
    }

    private mutating func skipComment() throws(JSONFault) {
        let start = position
        switch bytes[start...].dropFirst().first {
        case UInt8(ascii: "/"), UInt8(ascii: "*"):
            position = JSONScanner.endOfComment(at: start, in: bytes)
            if bytes[start + 1] == UInt8(ascii: "*"), !JSONScanner.isClosed(bytes[start..<position]) {
                throw fault("the comment does not end", at: start)
            }
        default:
            throw fault("a comment begins with // or /*")
        }
        try checkComment(start..<position)
    }

    /// Returns where a comment ends, whose two signs are at an index: before the line end, behind `*/`, or with the text.
    static func endOfComment(at start: Int, in text: ArraySlice<UInt8>) -> Int {
        if text[start + 1] == UInt8(ascii: "/") {
            return text[start...].firstIndex(where: \.isLineEnd) ?? text.endIndex
        }
        // "/*/" does not end what it begins.
        var index = start + 2
        while index + 1 < text.endIndex {
            if text[index] == UInt8(ascii: "*"), text[index + 1] == UInt8(ascii: "/") { return index + 2 }
            index += 1
        }
        return text.endIndex
    }

    /// Whether a block ends in `*/` of its own.
    private static func isClosed(_ block: ArraySlice<UInt8>) -> Bool {
        block.count >= 4 && block.suffix(2).elementsEqual("*/".utf8)
    }

    /// Checks a comment that has been passed, so that after a fault its contents are not taken for members.
    private func checkComment(_ range: Range<Int>) throws(JSONFault) {
        var index = range.lowerBound
        while index < range.upperBound {
            if bytes[index] == 0 { throw fault("a NUL byte is not text", at: index) }
            guard let length = lengthOfSequence(at: index) else { throw fault(Self.invalidUTF8, at: index) }
            index += length
        }
    }
}

extension UInt8 {
    var isLineEnd: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
    var isWhiteSpace: Bool { isBlank || isLineEnd }
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}
