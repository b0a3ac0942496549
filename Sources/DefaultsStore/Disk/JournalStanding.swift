import Synchronization

/// F18: how far the settings file has what is in the journal, where that was not begun anew.
///
/// A checkpoint that finds records behind those it has brought in leaves them where they are, and says in the lock file that
/// those before them are done. Nothing rests on its being there: done again, they change nothing, since their values are
/// absolute. Only that a key of theirs, saved by hand since, would be taken back: where the lock file is taken away, or the power
/// fails before it has been waited for.
///
/// Proof that no record is taken for done that is not. It is written when the settings file is on the disk with its name; and
/// whoever reads looks here before it looks at that file, so it reads that file or a later one. It names the journal's
/// nonce, so that it says nothing of another time of the journal, whatever a power loss makes of the two files.
struct JournalStanding: Hashable, Sendable {
    /// The journal's.
    let nonce: UInt64
    /// The last generation whose changes are all in the settings file.
    let generation: UInt64

    /// Whether the two belong together: they are not written in one step for those who read them.
    private var check: UInt64 { WordHash(seed: 0x5444_5354_414E_4453).adding(nonce, generation).state }

    init(nonce: UInt64, generation: UInt64) { (self.nonce, self.generation) = (nonce, generation) }

    /// Where it stands in the lock file.
    fileprivate static let place = 40

    /// The last generation of a journal that the settings file has for sure, as the numbers at places of the lock file say:
    /// the header's where they are of another journal, or only half written.
    static func of(_ header: JournalHeader, _ number: (Int) -> UInt64) -> UInt64 {
        let note = JournalStanding(nonce: number(place), generation: number(place + 8))
        guard note.nonce == header.nonce, note.check == number(place + 16) else { return header.generation }
        return max(note.generation, header.generation)
    }

    /// What is written.
    fileprivate var numbers: (UInt64, UInt64, UInt64) {
        (nonce.littleEndian, generation.littleEndian, check.littleEndian)
    }
}

extension SuiteFiles {
    /// The last generation of a journal that the settings file has for sure.
    func standing(of header: JournalHeader) -> UInt64 {
        guard let page, LockFile.isKnown(page) else { return header.generation }
        let standing = JournalStanding.of(header, page.number(at:))
        // What is looked at from here on is not older.
        atomicMemoryFence(ordering: .acquiring)
        return standing
    }
}

extension HeldWriterLock {
    /// Says how far the settings file has what is in the journal.
    func note(_ standing: JournalStanding) throws(DefaultsError) {
        try HeldWriterLock.withLockFile(files) { (lock) throws(DefaultsError) in
            do throws(SystemError) {
                try SystemCalls.write(numbers: standing.numbers, to: lock, at: JournalStanding.place)
            } catch {
                throw .writing(files.location.lockPath, error)
            }
        }
    }
}
