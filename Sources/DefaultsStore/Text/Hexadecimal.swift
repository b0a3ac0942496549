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
