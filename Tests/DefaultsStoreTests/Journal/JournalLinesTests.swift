/// Reading the journal in pieces: wherever they are cut, the records are those of the whole.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct JournalLinesTests {
    private let nonce: UInt64 = 0xABC

    private func record(_ generation: UInt64, _ length: Int = 1) -> [UInt8] {
        let value = StoredValue(.string(String(repeating: "x", count: length)))
        return JournalRecord(generation: generation, changes: [StoredChange(value, forKey: KeyName("a"))])
            .line(
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
        #expect(lines.count + lines.surplus + lines.reserve == taken)
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

    /// Whatever pieces it comes in.
    @Test(arguments: [0, 1, 7, 8, 42, 43, 4_096, Journal.greatestReserve])
    func `zeros behind the records are a reserve, and no surplus (F17)`(count: Int) {
        let bytes = record(1) + record(2) + [UInt8](repeating: 0, count: count)
        for size in [1, 50, 1_024, bytes.count] {
            var lines = JournalLines(nonce: nonce, after: 0)
            for start in stride(from: 0, to: bytes.count, by: size) {
                let goesOn = lines.take(Array(bytes[start..<min(start + size, bytes.count)]))
                #expect(goesOn)
            }
            #expect(lines.records.count == 2)
            #expect([lines.surplus, lines.reserve] == [0, count])
        }
    }

    @Test func `more zeros, or anything among them, are a surplus (F17)`() {
        let zeros = [UInt8](repeating: 0, count: Journal.greatestReserve)
        for tail in [zeros + [0], [1] + zeros, zeros.dropLast() + [1], [0, 0] + record(2)] {
            var lines = JournalLines(nonce: nonce, after: 0)
            _ = lines.take(record(1) + tail)
            #expect(lines.records.count == 1)
            #expect([lines.surplus, lines.reserve] == [tail.count, 0])
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
