/// Passes plainly written JSON, eight bytes at a time: the quick half of reading a settings file, and a journal's
/// record.
///
/// Plain is what programs write, and most people too: no comment, no trailing comma, no `\u`, no exponent, no rare
/// UTF-8. If something is not plain, or is wrong, or the text is about to end, this fails and says no more: the
/// careful ``JSONScanner`` then reads from the same position, and it alone finds faults and reports them. So one
/// thing has to hold: what this passes, the careful one passes too, up to the same byte. The fuzzers compare the two.
///
/// One scanner by words over a raw buffer was tried in place of both. It takes 1.3 times as many instructions for 200
/// numbers, and 1.57 times for 200 values with lists, escapes and letters beyond ASCII.
struct PlainScanner {
    // A pointer, because a load of eight bytes has no other spelling; it is only used inside the closure that gave
    // it. Each load is in range, because the code before it has checked `index < end`, or `index + 8 <= end`.
    private let start: UnsafeRawPointer
    let end: Int
    var position: Int

    /// Nil if the text is empty.
    init?(_ text: UnsafeRawBufferPointer, at position: Int) {
        guard let start = text.baseAddress else { return nil }
        self.start = start
        end = text.count
        self.position = position
    }

    /// Passes a member, the comma after it and everything up to the quote of the next one.
    ///
    /// - Parameter seed: where the hash of the key starts.
    /// - Returns: the key's hash and where the value ends; nil, without advancing, if not all of this is plain.
    @inline(__always)
    mutating func passMember(hashingFrom seed: UInt64) -> (hash: UInt32, valueEnd: Int)? {
        let before = position
        if let hash = passKey(hashingFrom: seed), passColon(), passValue() {
            let valueEnd = position
            if passUsualComma() || (passComma() && position < end && byte(position) == UInt8(ascii: "\"")) {
                return (hash, valueEnd)
            }
        }
        position = before
        return nil
    }

    /// Passes a key without escapes, and returns its hash.
    @inline(__always)
    mutating func passKey(hashingFrom seed: UInt64) -> UInt32? {
        guard position < end, byte(position) == UInt8(ascii: "\"") else { return nil }
        let first = position + 1
        var index = first
        var hash = KeyHash(from: seed)
        while index + 8 <= end {
            let word = word(index)
            let special = PlainScanner.special(in: word)
            guard special != 0 else {
                hash.mix(word)
                index += 8
                continue
            }
            let rest = special.trailingZeroBitCount & ~7
            hash.mix(word & (1 << UInt64(rest) &- 1))
            index += rest >> 3
            guard byte(index) == UInt8(ascii: "\"") else { return nil }
            position = index + 1
            return hash.value(count: index - first)
        }
        return nil
    }

    /// Passes these very bytes, without white space around them: fewer than eight, at a position where eight are
    /// left.
    @inline(__always)
    mutating func passExactly(_ text: StaticString) -> Bool {
        var wanted: UInt64 = 0
        for index in 0..<text.utf8CodeUnitCount {
            wanted |= UInt64(text.utf8Start[index]) << UInt64(8 * index)
        }
        let mask = (1 as UInt64) << UInt64(8 * text.utf8CodeUnitCount) - 1
        guard position + 8 <= end, word(position) & mask == wanted else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    /// With the white space around it.
    @inline(__always)
    mutating func passColon() -> Bool {
        // As this library writes it: in one step instead of three.
        if position + 8 <= end {
            let word = word(position)
            if word & 0xFFFF == 0x203A, word >> 16 & 0xFF > 0x20 {
                position += 2
                return true
            }
        }
        return pass(UInt8(ascii: ":"))
    }

    /// Passes a comma, a line feed and two spaces before a quote, as this library writes them.
    @inline(__always)
    private mutating func passUsualComma() -> Bool {
        guard position + 8 <= end, word(position) & 0xFF_FFFF_FFFF == 0x22_2020_0A2C else { return false }
        position += 4
        return true
    }

    /// With the white space around it.
    @inline(__always)
    mutating func passComma() -> Bool { pass(UInt8(ascii: ",")) }

    @inline(__always)
    private mutating func pass(_ sign: UInt8) -> Bool {
        skipWhiteSpace()
        guard position < end, byte(position) == sign else { return false }
        position += 1
        skipWhiteSpace()
        return true
    }

    @inline(__always)
    mutating func skipWhiteSpace() {
        while position < end, PlainScanner.isWhiteSpace(byte(position)) { position += 1 }
    }

    /// By one bit for each of tab, line feed, carriage return and space.
    @inline(__always)
    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte <= 0x20 && (0x1_0000_2600 as UInt64) &>> UInt64(byte) & 1 == 1
    }

    /// The high bit of each byte that ends plain text: a quote, a backslash, a control character, a byte beyond
    /// ASCII.
    ///
    /// The lowest bit set is exact, and it is the one that is used: a subtraction borrows from a higher byte only if
    /// a lower one is such a byte itself.
    @inline(__always)
    static func special(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* 0x22)
        let backslashes = word ^ (ones &* 0x5C)
        let found =
            ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
            | ((word &- ones &* 0x20) & ~word) | word
        return found & (ones &* 0x80)
    }

    /// The index is less than `end`.
    @inline(__always)
    func byte(_ index: Int) -> UInt8 { start.load(fromByteOffset: index, as: UInt8.self) }

    /// Returns the eight bytes from an index, which is at most `end - 8`, the first one lowest.
    @inline(__always)
    func word(_ index: Int) -> UInt64 {
        UInt64(littleEndian: start.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }
}

/// Passes values of every kind; after a failure the position means nothing.
extension PlainScanner {
    /// How deeply arrays and objects may be nested and still be plain.
    private static let deepest = 32

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

    /// The opening quote comes next.
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
