/// The first line of the journal: up to which generation the settings file has everything.
///
/// `TDJ1 <nonce> <generation> <checksum>\n`, the numbers in 16, 16 and 8 hexadecimal digits. It always has the same
/// length, so that one write call can overwrite it in place.
struct JournalHeader: Hashable, Sendable {
    /// Drawn each time the journal restarts: it distinguishes the records of one run from those of another, and tells
    /// a reader that the file was changed under it.
    let nonce: UInt64
    /// The last generation whose changes are all in the settings file.
    let generation: UInt64

    static let magic = "TDJ1 "
    static let length = 4 + 1 + 16 + 1 + 16 + 1 + 8 + 1

    /// With a new nonce.
    init(generation: UInt64) {
        self.nonce = .random(in: .min ... .max)
        self.generation = generation
    }

    /// Creates the header of the same run of the journal, when the settings file has more of it.
    init(nonce: UInt64, generation: UInt64) { (self.nonce, self.generation) = (nonce, generation) }

    /// F6: reads the line; nil for anything but the very bytes that we would write for the same numbers, and for a
    /// generation that counting never reaches.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= JournalHeader.length, let nonce = Hexadecimal.number(bytes[5..<21]),
            let generation = Hexadecimal.number(bytes[22..<38]), generation <= LockFile.greatestGeneration
        else { return nil }
        self.nonce = nonce
        self.generation = generation
        guard bytes.starts(with: self.bytes) else { return nil }
    }

    var bytes: [UInt8] {
        var line = Array(JournalHeader.magic.utf8) + Hexadecimal.digits(nonce, 16)
        line.append(UInt8(ascii: " "))
        line += Hexadecimal.digits(generation, 16)
        line.append(UInt8(ascii: " "))
        line += Hexadecimal.digits(UInt64(Checksum.crc32c(line)), 8)
        line.append(UInt8(ascii: "\n"))
        return line
    }
}
