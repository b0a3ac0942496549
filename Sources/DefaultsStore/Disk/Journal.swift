/// The journal file, J.
///
/// It holds its header and no records yet: every commit goes into the settings file at once.
enum Journal {
    /// Reads the header; nil where there is none that counts, or none that this process may read.
    ///
    /// Who may only read the settings file still reads: without a header it is looked at each time.
    static func header(_ files: SuiteFiles) throws(DefaultsError) -> JournalHeader? {
        do throws(DefaultsError) { return try readHeader(files) } catch {
            guard error.systemError?.isForbidden == true else { throw error }
            return nil
        }
    }

    private static func readHeader(_ files: SuiteFiles) throws(DefaultsError) -> JournalHeader? {
        let path = files.location.path(of: files.location.journal)
        guard let opened = try RegularFile.open(files.location.journal, in: files.folder, path) else {
            return nil
        }
        return JournalHeader(
            try DefaultsError.reading(path) { () throws(SystemError) in
                try SystemCalls.read(opened.file, count: JournalHeader.length, at: 0)
            })
    }

    /// Says which generation the settings file stands for; the inode is kept.
    static func write(_ header: JournalHeader, holding lock: borrowing HeldWriterLock) throws(DefaultsError) {
        let files = lock.files
        let path = files.location.path(of: files.location.journal)
        let file = try DefaultsError.writing(path) { () throws(SystemError) in
            try SystemCalls.open(files.location.journal, in: files.folder, .createOrOpen)
        }
        let status = try DefaultsError.reading(path) { () throws(SystemError) in
            try SystemCalls.status(of: file)
        }
        try RegularFile.check(status, path, isWrittenInPlace: true)
        try DefaultsError.writing(path) { () throws(SystemError) in
            if status.permissions != 0o600 { try SystemCalls.setMode(0o600, of: file) }
            try SystemCalls.write(header.bytes, to: file, at: 0)
        }
    }
}
