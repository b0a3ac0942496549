/// Numbers as the journal writes them: lower-case hexadecimal digits, always as many.
enum Hexadecimal {
    /// So many digits of a number, at most sixteen.
    static func digits(_ number: UInt64, _ count: Int) -> [UInt8] {
        let all = (digits(UInt32(number >> 32)), digits(UInt32(truncatingIfNeeded: number)))
        return withUnsafeBytes(of: all) { Array($0.suffix(count)) }
    }

    /// The eight digits of a number, as they follow one another in memory.
    ///
    /// All at once: each half byte is moved to a byte of its own, and gets `0` added to it, or what leads to `a`
    /// where it is ten or more: then six more than it reaches the bit of sixteen. No sum leaves its byte.
    @inline(__always)
    static func digits(_ number: UInt32) -> UInt64 {
        var digits = UInt64(number)
        digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        let isLetter = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return (digits &+ 0x3030_3030_3030_3030 &+ isLetter &* 39).bigEndian
    }

    /// The number of at most sixteen digits; nil for anything that ``digits(_:_:)`` would not write.
    static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        digits.withUnsafeBytes { number($0, 0..<$0.count) }
    }

    /// The same of digits that stand among other bytes, in a range that has to lie within those.
    @inline(__always)
    static func number(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> UInt64? {
        // A pointer, because a poll of another process's set waits for this; what is read lies in the range.
        var (number, place) = (UInt64(0), range.lowerBound)
        while place + 8 <= range.upperBound {
            let eight = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            guard let next = Hexadecimal.number(ofEight: UInt64(bigEndian: eight)) else { return nil }
            number = number << 32 | next
            place += 8
        }
        while place < range.upperBound {
            guard let next = value(of: bytes[place]) else { return nil }
            number = number << 4 | UInt64(next)
            place += 1
        }
        return number
    }

    /// The number of eight digits, the first one highest.
    ///
    /// All at once: what is added to a byte below 128 takes it to its highest bit where it is as great as the first
    /// of some digits, or greater than the last of them. No sum leaves its byte.
    @inline(__always)
    private static func number(ofEight digits: UInt64) -> UInt64? {
        let high: UInt64 = 0x8080_8080_8080_8080
        let isNumeral = (digits &+ 0x5050_5050_5050_5050) & ~(digits &+ 0x4646_4646_4646_4646)
        let isLetter = (digits &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(digits &+ 0x1919_1919_1919_1919) & high
        guard digits & high == 0, (isNumeral | isLetter) & high == high else { return nil }
        var number = (digits & 0x0F0F_0F0F_0F0F_0F0F) &+ (isLetter >> 7) &* 9
        number = (number | number >> 4) & 0x00FF_00FF_00FF_00FF
        number = (number | number >> 8) & 0x0000_FFFF_0000_FFFF
        return (number | number >> 16) & 0xFFFF_FFFF
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
