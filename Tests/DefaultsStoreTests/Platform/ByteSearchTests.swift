@testable import DefaultsStore
import TestSupport
import Testing

/// Looking for some bytes among others.
struct ByteSearchTests {
    /// The bytes beside a line feed, and such as differ from it in the highest bit.
    private static let bytes: [UInt8] = [0x00, 0x09, 0x0A, 0x0B, 0x41, 0x80, 0x8A, 0xFF]

    @Test(arguments: 0...40) func `the first line end from any place on is found`(count: Int) {
        var random = SeededNumbers(seed: UInt64(count))
        for _ in 0..<100 {
            let text = (0..<count).map { _ in Self.bytes.randomElement(using: &random) ?? 0 }
            for start in 0...count {
                let found = SystemCalls.firstIndex(of: 0x0A, in: text, from: start)
                #expect(found == text[start...].firstIndex(of: 0x0A))
            }
        }
    }

    @Test(arguments: 0...20) func `bytes are zeros if each of them is`(count: Int) {
        let zeros = [UInt8](repeating: 0, count: count)
        #expect(SystemCalls.areZeros(zeros[...]))
        for place in 0..<count {
            var bytes = zeros
            bytes[place] = 1
            #expect(!SystemCalls.areZeros(bytes[...]))
            bytes = [UInt8](repeating: 1, count: count)
            bytes[place] = 0
            #expect(SystemCalls.areZeros(bytes[...]) == (count == 1))
        }
    }
}
