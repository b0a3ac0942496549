@testable import DefaultsStore
import TestSupport
import Testing

/// Looking for the end of a line.
struct LineEndTests {
    /// The bytes beside a line feed, and such as differ from it in the highest bit.
    private static let bytes: [UInt8] = [0x00, 0x09, 0x0A, 0x0B, 0x41, 0x80, 0x8A, 0xFF]

    @Test(arguments: 0...40) func `the first one from any place on is found`(count: Int) {
        var random = SeededNumbers(seed: UInt64(count))
        for _ in 0..<100 {
            let text = (0..<count).map { _ in Self.bytes.randomElement(using: &random) ?? 0 }
            for start in 0...count {
                #expect(LineEnd.firstIndex(in: text, from: start) == text[start...].firstIndex(of: 0x0A))
            }
        }
    }
}
