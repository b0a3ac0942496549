/// Passes values of every kind; after a failure the position means nothing.
extension PlainScanner {
    /// How deeply arrays and objects may be nested and still be plain.
    private static let deepest = 32

    /// Passes a value.
    @inline(__always)
    mutating func passValue() -> Bool { passValue(inside: 0) }

    @inline(__always)
    private mutating func passValue(inside levels: Int) -> Bool {
        guard position < end else { return false }
        switch byte(position) {
        case UInt8(ascii: "\""): return passString()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return passNumber()
        case UInt8(ascii: "t"): return passWord("t", "r", "u", "e")
        case UInt8(ascii: "n"): return passWord("n", "u", "l", "l")
        case UInt8(ascii: "f"):
            position += 1
            return passWord("a", "l", "s", "e")
        case UInt8(ascii: "["): return passArray(inside: levels + 1)
        case UInt8(ascii: "{"): return passObject(inside: levels + 1)
        default: return false
        }
    }

    /// Passes four letters.
    @inline(__always)
    private mutating func passWord(
        _ first: Unicode.Scalar, _ second: Unicode.Scalar, _ third: Unicode.Scalar, _ last: Unicode.Scalar
    ) -> Bool {
        let letters = first.value | second.value << 8 | third.value << 16 | last.value << 24
        guard position + 8 <= end, UInt32(truncatingIfNeeded: word(position)) == letters else { return false }
        position += 4
        return true
    }

    private mutating func passArray(inside levels: Int) -> Bool {
        guard levels <= PlainScanner.deepest else { return false }
        position += 1
        skipWhiteSpace()
        if position < end, byte(position) == UInt8(ascii: "]") { return step() }
        while passValue(inside: levels) {
            if passComma() { continue }
            return position < end && byte(position) == UInt8(ascii: "]") && step()
        }
        return false
    }

    private mutating func passObject(inside levels: Int) -> Bool {
        guard levels <= PlainScanner.deepest else { return false }
        position += 1
        skipWhiteSpace()
        if position < end, byte(position) == UInt8(ascii: "}") { return step() }
        while position < end, byte(position) == UInt8(ascii: "\""), passString(), passColon(),
            passValue(inside: levels)
        {
            if passComma() { continue }
            return position < end && byte(position) == UInt8(ascii: "}") && step()
        }
        return false
    }

    private mutating func step() -> Bool {
        position += 1
        return true
    }

    /// Passes a string, whose opening quote comes next.
    @inline(__always)
    private mutating func passString() -> Bool {
        var index = position + 1
        while index + 8 <= end {
            let special = PlainScanner.special(in: word(index))
            guard special != 0 else {
                index += 8
                continue
            }
            index += special.trailingZeroBitCount >> 3
            if byte(index) == UInt8(ascii: "\"") {
                position = index + 1
                return true
            }
            let length = lengthOfUnusual(at: index)
            guard length > 0 else { return false }
            index += length
        }
        return false
    }

    /// Returns the length of an escape or of a scalar beyond ASCII; 0 if it is neither, or a rare one.
    private func lengthOfUnusual(at index: Int) -> Int {
        guard index + 3 <= end else { return 0 }
        let second = byte(index + 1)
        switch byte(index) {
        case UInt8(ascii: "\\"):
            return PlainScanner.isEscapable(second) ? 2 : 0
        case 0xC2...0xDF:
            return second & 0xC0 == 0x80 ? 2 : 0
        case 0xE1...0xEC, 0xEE, 0xEF:
            // After these two lead bytes, every continuation gives a scalar that is neither overlong nor a surrogate.
            return second & 0xC0 == 0x80 && byte(index + 2) & 0xC0 == 0x80 ? 3 : 0
        default:
            return 0
        }
    }

    private static func isEscapable(_ letter: UInt8) -> Bool {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            true
        default: false
        }
    }

    /// Passes a number, whose sign or first digit comes next; one with an exponent is not plain.
    @inline(__always)
    private mutating func passNumber() -> Bool {
        var index = position
        if byte(index) == UInt8(ascii: "-") { index += 1 }
        let first = index
        index = endOfDigits(from: index)
        let isLeadingZero = index > first + 1 && byte(first) == UInt8(ascii: "0")
        guard index > first, index < end, !isLeadingZero else { return false }
        if byte(index) == UInt8(ascii: ".") {
            let fraction = index + 1
            index = endOfDigits(from: fraction)
            guard index > fraction, index < end else { return false }
        }
        guard byte(index) | 0x20 != UInt8(ascii: "e") else { return false }
        position = index
        return true
    }

    @inline(__always)
    private func endOfDigits(from start: Int) -> Int {
        var index = start
        while index < end, byte(index) &- UInt8(ascii: "0") < 10 { index += 1 }
        return index
    }
}
