/// Numbers as the journal writes them: lower-case hexadecimal digits, always as many.
enum Hexadecimal {
    /// So many digits of a number.
    static func digits(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { place in
            let digit = UInt8(truncatingIfNeeded: number >> UInt64(4 * (count - 1 - place))) & 15
            return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
        }
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
