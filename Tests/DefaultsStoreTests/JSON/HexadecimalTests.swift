@testable import DefaultsStore
import TestSupport
import Testing

/// Numbers as the journal writes them.
struct HexadecimalTests {
    @Test(arguments: 0...16) func `a number of any length comes back`(count: Int) {
        var random = SeededNumbers(seed: UInt64(count))
        for _ in 0..<200 {
            let number = count == 0 ? 0 : random.next() >> UInt64(64 - 4 * count)
            let digits = [UInt8(ascii: "-")] + Hexadecimal.digits(number, count) + [UInt8(ascii: "0")]
            #expect(Hexadecimal.number(digits.dropFirst().prefix(count)) == number)
        }
    }

    @Test(arguments: [1, 8, 12, 16]) func `what is no digit is none at any place`(count: Int) {
        let isDigit = Set("0123456789abcdef".utf8)
        for place in 0..<count {
            for byte in UInt8.min...UInt8.max {
                var digits = Array("0f9a8b7c6d5e4321".utf8.prefix(count))
                digits[place] = byte
                let number = UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
                let found = Hexadecimal.number(digits[...])
                #expect(found == (isDigit.contains(byte) ? number : nil), "\(byte) at \(place)")
            }
        }
    }
}
