/// Numbers as the journal writes them: lower-case hexadecimal digits, always as many.
enum Hexadecimal {
    /// So many digits of a number.
    static func digits(_ number: UInt64, _ count: Int) -> [UInt8] {
        var digits: [UInt8] = []
        digits.reserveCapacity(count)
        append(number, count, to: &digits)
        return digits
    }

    /// Appends so many digits of a number.
    static func append(_ number: UInt64, _ count: Int, to bytes: inout [UInt8]) {
        var shift = 4 * count
        while shift > 0 {
            shift -= 4
            bytes.append(digit(UInt8(truncatingIfNeeded: number >> UInt64(shift)) & 15))
        }
    }

    /// The eight digits of a number, as they follow one another in memory.
    ///
    /// All at once: each half byte is moved to a byte of its own, and gets `0` added to it, or what leads to `a` where it
    /// is ten or more: then six more than it reaches the bit of sixteen. No sum leaves its byte.
    @inline(__always)
    static func digits(_ number: UInt32) -> UInt64 {
        var digits = UInt64(number)
        digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        let isLetter = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return (digits &+ 0x3030_3030_3030_3030 &+ isLetter &* 39).bigEndian
    }

    /// The digit of a number below sixteen.
    @inline(__always)
    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }

    /// The number of at most sixteen digits; nil for anything that ``digits(_:_:)`` would not write.
    static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                number = number << 4 | UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"):
                number = number << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }
}
