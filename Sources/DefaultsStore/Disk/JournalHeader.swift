/// The first line of the journal, J: which generation the settings file stands for.
///
/// `TDJ1 <nonce> <generation> <checksum>\n`, the numbers in 16, 16 and 8 hexadecimal digits. It always has the same
/// length, so that it can be overwritten in place by one write call.
struct JournalHeader: Hashable, Sendable {
    /// Drawn anew for every header, so that a reader notices that the file was changed under it.
    let nonce: UInt64
    /// The last generation whose changes are all in the settings file.
    let generation: UInt64

    /// The length of the line.
    static let length = 4 + 1 + 16 + 1 + 16 + 1 + 8 + 1

    /// A header for a generation, with a new nonce.
    init(generation: UInt64) {
        self.nonce = .random(in: .min ... .max)
        self.generation = generation
    }

    /// F6: reads the line; nil for anything but the very bytes that we would write for the same numbers.
    init?(_ bytes: [UInt8]) {
        let parts = bytes.prefix(JournalHeader.length).split(
            separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 4, let nonce = JournalHeader.number(parts[1]),
            let generation = JournalHeader.number(parts[2])
        else { return nil }
        self.nonce = nonce
        self.generation = generation
        // Swift reads a sign, capital digits and any number of zeros too.
        guard bytes.starts(with: self.bytes) else { return nil }
    }

    /// The line as it stands in the file.
    var bytes: [UInt8] {
        let front = Array(
            "TDJ1 \(JournalHeader.digits(nonce, 16)) \(JournalHeader.digits(generation, 16)) ".utf8)
        return front + Array("\(JournalHeader.digits(UInt64(Checksum.crc32c(front)), 8))\n".utf8)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static func digits(_ number: UInt64, _ count: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
