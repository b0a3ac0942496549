/// Reading the journal in pieces: wherever they are cut, the records are those of the whole.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct JournalLinesTests {
    private let nonce: UInt64 = 0xABC

    private func record(_ generation: UInt64, _ length: Int = 1) -> [UInt8] {
        let value = StoredValue(.string(String(repeating: "x", count: length)))
        return JournalRecord(generation: generation, changes: [KeyChange(value, forKey: KeyName("a"))]).line(
            nonce)
    }

    /// What is found in bytes that come in pieces of one size.
    private func found(_ bytes: [UInt8], in size: Int) -> (generations: [UInt64], count: Int, taken: Int) {
        var (lines, taken) = (JournalLines(nonce: nonce, after: 0), 0)
        while taken < bytes.count {
            let piece = Array(bytes[taken..<min(taken + size, bytes.count)])
            taken += piece.count
            if !lines.take(piece) { break }
        }
        #expect(lines.count + lines.surplus == taken)
        return (lines.records.map(\.generation), lines.count, taken)
    }

    @Test(arguments: [
        [], Array("\n".utf8), Array("a note\nof mine\n".utf8), [UInt8](repeating: 0, count: 300),
    ])
    func `the records are those of the whole, wherever it is cut`(tail: [UInt8]) {
        let good = record(1) + record(2, 100) + record(5)
        let whole = good + tail + record(6)
        for size in 1...whole.count {
            let found = found(whole, in: size)
            #expect(found.generations == (tail.isEmpty ? [1, 2, 5, 6] : [1, 2, 5]))
            #expect(found.count == (tail.isEmpty ? whole : good).count)
        }
    }

    @Test func `nothing is read behind a line that cannot become a record`() {
        let tail = [UInt8](repeating: UInt8(ascii: "x"), count: 10_000)
        // Its front of 43 bytes tells, or its end.
        #expect(found(record(1) + tail, in: 50).taken < record(1).count + 100)
        #expect(found(record(1) + record(1).dropLast() + tail, in: 50).taken < 2 * record(1).count + 100)
        #expect(found(record(2) + record(1) + tail, in: 50).taken < 2 * record(1).count + 100)
        // This one may go on.
        #expect(
            found(record(1) + record(2).dropLast() + tail, in: 50).taken == 2 * record(1).count - 1 + 10_000)
    }

    @Test func `a record is longer than any that a suite has to write`() {
        // All that a file may have is set, and all that another had is removed.
        #expect(JournalRecord.longest >= 2 * SettingsFile.limit + JournalRecord.front + 1_024)
    }
}
