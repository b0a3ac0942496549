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
        case UInt8(ascii: "/"):
            position = bytes[start...].firstIndex(where: \.isLineEnd) ?? bytes.endIndex
        case UInt8(ascii: "*"):
            // "/*/" does not end what it begins.
            guard let end = endOfBlock(from: start + 2) else {
                position = bytes.endIndex
                throw fault("the comment does not end", at: start)
            }
            position = end
        default:
            throw fault("a comment begins with // or /*")
        }
        try checkComment(start..<position)
    }

    /// Returns the index after the first `*/`; nil if there is none.
    private func endOfBlock(from start: Int) -> Int? {
        var index = start
        while index + 1 < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") { return index + 2 }
            index += 1
        }
        return nil
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
