import Synchronization

/// F18: how far the settings file has what is in the journal, where that was not begun anew.
///
/// A checkpoint amid writes leaves the records that it has brought in where they are, and says in the journal's header that those
/// up to there are done: the header is overwritten by one with the same nonce and a later generation. Nothing rests on its
/// being there: done again, they change nothing, since their values are absolute. Only that a key of theirs, saved by hand since,
/// would be taken back, where the power fails before the header has been waited for. The lock file has a note of the same,
/// and where that record ends, so that nobody reads what is done; should it be taken away, they are read, and count for nothing.
///
/// Proof that no record is taken for done that is not. Both are written when the settings file is on the disk with its name;
/// and whoever reads looks here before it looks at that file, so it reads that file or a later one. The note names the journal's
/// nonce, so that it says nothing of another time of the journal, whatever a power loss makes of the two files. Whoever loads
/// begins to read behind those records: a journal is only added to until it has another nonce, and was waited for before.
struct CheckpointMark: Hashable, Sendable {
    /// The journal's.
    let nonce: UInt64
    /// The last generation whose changes are all in the settings file.
    let generation: UInt64
    /// Where the record of that generation ends in the journal; behind the header where that is not known.
    let end: Int

    /// Whether they belong together: they are not written in one step for those who read them.
    private var check: UInt64 {
        WordHash(seed: 0x5444_5354_414E_4453).adding(nonce, generation).adding(UInt64(end), 0).state
    }

    init(nonce: UInt64, generation: UInt64, end: Int) {
        (self.nonce, self.generation, self.end) = (nonce, generation, end)
    }

    /// As the header alone says: all is read, and what is done is left out.
    init(_ header: JournalHeader) {
        self.init(nonce: header.nonce, generation: header.generation, end: JournalHeader.length)
    }

    /// Where it stands in the lock file.
    fileprivate static let place = 136

    /// How far a journal is done for sure, as its header says and the numbers at places of the lock file: these not at all
    /// where they are of another journal, or only half written.
    static func of(_ header: JournalHeader, _ number: (Int) -> UInt64) -> CheckpointMark {
        let start = CheckpointMark(header)
        guard let end = Int(exactly: number(place + 16)), end > start.end else { return start }
        let note = CheckpointMark(nonce: number(place), generation: number(place + 8), end: end)
        let counts = note.nonce == start.nonce && note.check == number(place + 24)
        // One that is behind leads to where more is read than has to be.
        return counts && note.generation >= start.generation ? note : start
    }

    /// What is written.
    fileprivate var numbers: (UInt64, UInt64, UInt64, UInt64) {
        (nonce.littleEndian, generation.littleEndian, UInt64(end).littleEndian, check.littleEndian)
    }
}

extension SuiteFiles {
    /// How far a journal is done for sure.
    func checkpointMark(of header: JournalHeader) -> CheckpointMark {
        guard let page, LockFile.isKnown(page) else { return CheckpointMark(header) }
        let mark = CheckpointMark.of(header, page.number(at:))
        // What is looked at from here on is not older.
        atomicMemoryFence(ordering: .acquiring)
        return mark
    }
}

extension HeldWriterLock {
    /// Says how far the settings file has what is in the journal.
    func note(_ mark: CheckpointMark) throws(DefaultsError) {
        try HeldWriterLock.withLockFile(files) { (lock) throws(DefaultsError) in
            do throws(SystemError) {
                try SystemCalls.write(numbers: mark.numbers, to: lock, at: CheckpointMark.place)
            } catch {
                throw .writing(files.location.lockPath, error)
            }
        }
    }
}
