/// What must hold of any bytes that are read as the journal's first line; run by tests and by `.ci/fuzz`.
@testable import DefaultsStore

enum JournalFuzzCheck {
    /// What does not hold, nil when everything does: of the bytes, and of the bytes with a checksum that fits.
    static func objection(to input: [UInt8]) -> String? {
        lineObjection(input) ?? lineObjection(withChecksum(input))
    }

    /// A header is taken only from the very bytes that we would write for it.
    private static func lineObjection(_ bytes: [UInt8]) -> String? {
        guard let header = JournalHeader(bytes) else { return nil }
        guard header.bytes.count == JournalHeader.length else { return "the line has another length" }
        let line = bytes.prefix(JournalHeader.length)
        return line.elementsEqual(header.bytes)
            ? nil : "taken for a header: \(String(decoding: line, as: UTF8.self))"
    }

    /// The bytes with the end of the line put right, since no mutation finds a checksum.
    private static func withChecksum(_ bytes: [UInt8]) -> [UInt8] {
        let front = Array(bytes.prefix(JournalHeader.length - 9))
        let sum = String(Checksum.crc32c(front), radix: 16)
        return front + String(repeating: "0", count: 8 - sum.count).utf8 + sum.utf8 + [UInt8(ascii: "\n")]
    }
}
