/// F16: one key of a large settings file, found with the help of its index and without reading the file.
///
/// What it finds is the key's value at some moment of the call: the journal is checked first and has nothing that the
/// settings file does not have, and that file is the version that the index describes, before and after the member was
/// read. If any of this does not hold, or a call fails, nothing is found, and everything is loaded. Proofs.md says why
/// that is enough.
enum TextIndexReading {
    /// What was found out about a key.
    struct Found {
        /// Nil if nothing is stored.
        let value: StoredValue?
    }

    /// How much of a member is read at first, and at most: a longer one is left to the whole load.
    private static let pieces = [256, 16_384]

    /// Looks a key up.
    ///
    /// - Returns: nil if the whole file has to be loaded to know.
    /// - Cost: eight system calls, one more for a long member, and three more for a process's first look-up, however
    ///   large the file is.
    static func find(_ key: KeyName, _ files: SuiteFiles) throws(DefaultsError) -> Found? {
        guard let page = files.page, LockFile.isKnown(page), let index = page.textIndex, index.count > 0
        else {
            return nil
        }
        let name = Array(key.string.utf8)
        guard let wanted = TextIndex.Wanted(name), files.isCurrent(), try isJournalEmpty(files),
            let opened = try RegularFile.open(
                files.location.settings, in: files.folder, files.location.path),
            TextIndexNote.series(of: opened.status) == index.series
        else { return nil }
        let count = Int(index.count)
        let number = wanted.page(among: count)
        let bytes = try files.indexPage(number)
        guard TextIndex.isPage(bytes, number: number, of: count, series: index.series) else {
            // So that a valid index is made.
            files.note(TextIndexPages(series: 0, count: 0))
            return nil
        }
        var found = Found(value: nil)
        var word = TextIndex.firstWord
        while let place = wanted.place(in: bytes, from: &word) {
            switch try member(name, at: place, of: opened, files.location.path) {
            case .value(let value): found = Found(value: value)
            case .another(let other):
                // Two names with one hash; otherwise the text is not what the index describes.
                guard TextIndex.Wanted(other)?.isTwin(of: wanted, among: count) == true else { return nil }
            case .unclear: return nil
            }
        }
        let after = try DefaultsError.reading(files.location.path, SystemCalls.status(of: opened.file))
        return TextIndexNote.series(of: after) == index.series ? found : nil
    }

    /// Whether the settings file has everything that was committed.
    private static func isJournalEmpty(_ files: SuiteFiles) throws(DefaultsError) -> Bool {
        let found = try DefaultsError.reading(
            files.location.journalPath,
            SystemError.nilIfMissing(SystemCalls.status(files.location.journal, in: files.folder)))
        guard let status = found else { return true }
        try RegularFile.check(status.inode, files.location.journalPath)
        let size = status.identity.size
        if size <= JournalHeader.length { return true }
        return try isJournalDone(size, files)
    }

    /// Whether the settings file has everything that is in a journal of some length: a checkpoint amid writes leaves
    /// it there (F18).
    private static func isJournalDone(_ size: Int, _ files: SuiteFiles) throws(DefaultsError) -> Bool {
        let path = files.location.journalPath
        guard let opened = try RegularFile.open(files.location.journal, in: files.folder, path) else {
            return false
        }
        let bytes = try DefaultsError.reading(
            path, SystemCalls.read(opened.file, count: JournalHeader.length, at: 0))
        return JournalHeader(bytes).map { files.checkpointMark(of: $0).end } == size
    }

    private enum Member {
        case value(StoredValue)
        case another(name: [UInt8])
        case unclear
    }

    /// Returns the member at an offset of the text.
    private static func member(
        _ name: [UInt8], at place: Int, of opened: borrowing RegularFile.Opened, _ path: String
    ) throws(DefaultsError) -> Member {
        let length = opened.status.identity.size
        for piece in pieces where place < length {
            let bytes = try DefaultsError.reading(
                path,
                SystemCalls.read(
                    opened.file, count: min(piece + name.count, length - place), at: place, once: true))
            guard bytes.first == UInt8(ascii: "\""),
                let end = bytes.dropFirst().firstIndex(of: UInt8(ascii: "\""))
            else { continue }
            let found = bytes[1..<end]
            guard found.elementsEqual(name) else { return .another(name: Array(found)) }
            // A value is followed at least by the brace; at the end of the piece it may continue.
            if let value = MemberReader(bytes).checkedValue(at: 0), value.upperBound < bytes.count {
                return .value(StoredValue(trusted: bytes[value]))
            }
        }
        return .unclear
    }
}
