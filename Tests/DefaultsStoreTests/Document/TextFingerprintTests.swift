@testable import DefaultsStore
import TestSupport
import Testing

/// What tells a text from every other.
struct TextFingerprintTests {
    private func text(_ length: Int) -> [UInt8] {
        var random = SeededNumbers(seed: UInt64(length))
        return (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    @Test func `a text's print is the same in every process and version`() {
        let print = TextFingerprint(
            of: Array("The length and two hashes of sixty-four bits, four words a step.".utf8))
        #expect(
            print
                == TextFingerprint(
                    length: 64, one: 9_688_902_123_274_153_703, other: 9_072_516_448_533_693_289))
        #expect(print.check == 15_289_186_659_119_593_233)
    }

    @Test(arguments: [0, 1, 31, 32, 33, 63, 64, 95, 129])
    func `a change of any bit, and one byte more or less, gives another print`(length: Int) {
        let text = text(length)
        var prints: Set = [
            TextFingerprint(of: text), TextFingerprint(of: text + [0]), TextFingerprint(of: [1] + text),
        ]
        if length > 0 { prints.insert(TextFingerprint(of: Array(text.dropLast()))) }
        for bit in 0..<length * 8 {
            var other = text
            other[bit / 8] ^= 1 << (bit % 8)
            prints.insert(TextFingerprint(of: other))
        }
        #expect(prints.count == (length > 0 ? 4 : 3) + length * 8)
    }

    @Test func `what stands before words that make a product zero still counts`() {
        let zeroing = (0..<8).map { UInt8(truncatingIfNeeded: UInt64(0xA076_1D64_78BD_642F) >> (8 * $0)) }
        let end = zeroing + zeroing + zeroing + zeroing
        let prints = (0..<100).map { TextFingerprint(of: text(32 + 32 * $0).suffix(32) + end) }
        #expect(Set(prints.map(\.one)).count == 100)
        #expect(Set(prints.map(\.other)).count == 100)
    }
}
