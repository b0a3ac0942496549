@testable import DefaultsStore
import TestSupport
import Testing

/// Looking for some bytes among others.
struct ByteSearchTests {
    private func naive(_ wanted: [UInt8], _ bytes: [UInt8]) -> Int? {
        guard bytes.count >= wanted.count else { return nil }
        return (0...bytes.count - wanted.count).first { bytes[$0..<$0 + wanted.count].elementsEqual(wanted) }
    }

    @Test(arguments: 1...3)
    func `what is found is what a comparison at each place finds`(letters: UInt8) {
        var random = SeededNumbers(seed: UInt64(letters))
        func bytes(_ length: Int) -> [UInt8] {
            (0..<length).map { _ in UInt8.random(in: 0..<letters, using: &random) }
        }
        for _ in 0..<2_000 {
            let wanted = bytes(.random(in: 1...6, using: &random))
            let text = bytes(.random(in: 0...40, using: &random))
            #expect(ByteSearch(for: wanted).firstIndex(in: text) == naive(wanted, text))
        }
    }

    @Test func `the first of several places counts, at the ends too`() {
        let search = ByteSearch(for: Array("ab".utf8))
        #expect(search.firstIndex(in: Array("ab-ab".utf8)) == 0)
        #expect(search.firstIndex(in: Array("-aab".utf8)) == 2)
        #expect(search.firstIndex(in: Array("-ba".utf8)) == nil)
        #expect(search.firstIndex(in: []) == nil)
    }
}
