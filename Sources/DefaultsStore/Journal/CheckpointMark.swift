import Synchronization

/// F18: how far the settings file has what is in the journal, if the journal has not been restarted.
///
/// A checkpoint amid writes leaves the records that it has brought in where they are, and declares them checkpointed
/// in the journal's header, which is overwritten with the same nonce and a later generation. If that is lost, the
/// records are applied again, which changes nothing, because their values are absolute. Only a key that has been
/// saved by hand since would be taken back, and only if the power fails before the header has been synced. The lock
/// file notes the same, and where the last of those records ends, so that nobody reads them; if the lock file is
/// removed, they are read and ignored.
///
/// Proof that no record is treated as checkpointed that is not. Both are written when the settings file is durable
/// under its name. A reader consults them before it reads that file, so it reads that file or a later one. The note
/// names the journal's nonce, so it says nothing about another run of the journal, whatever a power loss makes of the
/// two files. A load starts to read after those records: within one run a journal is only appended to, and it was
/// synced before the note.
struct CheckpointMark: Hashable, Sendable {
    let nonce: UInt64
    /// The last generation whose changes are all in the settings file.
    let generation: UInt64
    /// Where the record of that generation ends in the journal; the end of the header if that is not known.
    let end: Int

    /// A checksum, because readers may see only a part of the numbers.
    private var check: UInt64 {
        WordHash(seed: 0x5444_5354_414E_4453).adding(nonce, generation).adding(UInt64(end), 0).state
    }

    init(nonce: UInt64, generation: UInt64, end: Int) {
        (self.nonce, self.generation, self.end) = (nonce, generation, end)
    }

    /// Creates the mark that the header alone amounts to: all records are read, and the checkpointed ones ignored.
    init(_ header: JournalHeader) {
        self.init(nonce: header.nonce, generation: header.generation, end: JournalHeader.length)
    }

    /// Its offset in the lock file.
    fileprivate static let place = 136

    /// Returns how far a journal is certainly checkpointed, according to its header and the numbers at some offsets
    /// of the lock file; those are ignored if they are of another journal, or only half written.
    static func of(_ header: JournalHeader, _ number: (Int) -> UInt64) -> CheckpointMark {
        let start = CheckpointMark(header)
        guard let end = Int(exactly: number(place + 16)), end > start.end else { return start }
        let note = CheckpointMark(nonce: number(place), generation: number(place + 8), end: end)
        let counts =
            note.nonce == start.nonce && note.check == number(place + 24)
            && note.generation <= LockFile.greatestGeneration
        // A note that is behind only leads to more being read than necessary.
        return counts && note.generation >= start.generation ? note : start
    }

    fileprivate var numbers: (UInt64, UInt64, UInt64, UInt64) {
        (nonce.littleEndian, generation.littleEndian, UInt64(end).littleEndian, check.littleEndian)
    }
}

extension SuiteFiles {
    func checkpointMark(of header: JournalHeader) -> CheckpointMark {
        guard let page, LockFile.isKnown(page) else { return CheckpointMark(header) }
        let mark = CheckpointMark.of(header, page.number(at:))
        // What is read from here on is not older.
        atomicMemoryFence(ordering: .acquiring)
        return mark
    }
}

extension HeldWriterLock {
    func record(_ mark: CheckpointMark) throws(DefaultsError) {
        try files.withLock { (lock) throws(DefaultsError) in
            do throws(SystemError) {
                try SystemCalls.write(numbers: mark.numbers, to: lock, at: CheckpointMark.place)
            } catch {
                throw .writing(files.location.lockPath, error)
            }
        }
    }
}
