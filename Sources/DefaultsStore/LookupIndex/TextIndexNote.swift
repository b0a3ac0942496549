/// The index of a large settings file, after the first page of the lock file: which version of the file it describes,
/// and who makes it.
///
/// A version is identified by the settings file's device, inode, size and both times, within one boot of the system:
/// what power loss leaves of a file may have the times of something else. The times distinguish versions only if,
/// when the file was read, it had been unchanged for as long as one tick of the coarsest file system clock; before
/// that no index is made.
///
/// With it a new process gets its first key of 10,000 in 136,000 instructions, and in 4.9 million without it.
///
/// A process makes the index if it is the third to begin with a load of the same version, because making it takes as
/// long as parsing the text and as much again, and is wasted on a file that is read once between two writes. Nothing
/// waits for it, and nothing depends on its being there.
enum TextIndexNote {
    /// The smallest text that is worth an index, in bytes.
    static let smallest = 65_536
    /// How long the file must have been unchanged: more than the two seconds of FAT.
    static let rest: Int64 = 3_000_000_000
    /// Which process to open a version makes the index.
    static let opens: UInt64 = 3

    /// Counts that a new process has read a text, and makes the index when it is time.
    ///
    /// - Parameter time: a time on the clock of files, taken before the file was read.
    static func consider(
        _ document: SettingsDocument, _ status: FileStatus, at time: Int64, _ files: SuiteFiles
    ) {
        guard status.identity.size >= smallest, files.lock != nil, let page = files.page,
            LockFile.isKnown(page), time &- max(status.identity.modified, status.changed) > rest,
            let series = series(of: status), page.textIndex?.series != series
        else { return }
        let opened = min(page.opens(ofSeries: series), opens) + 1
        guard opened >= opens else { return files.note(opens: opened, ofSeries: series) }
        make(of: document, series, files)
    }

    /// Makes the index of a text, and notes it.
    static func make(of document: SettingsDocument, _ series: UInt64, _ files: SuiteFiles) {
        document.readToEnd()
        // It is also noted that there can be no index, or every process would find that out again.
        guard let count = TextIndex.pageCount(of: document),
            let pages = TextIndex.pages(of: document, count: count, series: series)
        else { return files.note(TextIndexPages(series: series, count: 0)) }
        // If the disk is full, the next processes that open the file start counting again.
        guard files.write(pages) else { return files.note(opens: 0, ofSeries: series) }
        files.note(TextIndexPages(series: series, count: UInt64(count)))
    }

    /// Returns what distinguishes a version of the settings file from all others; nil if boots of the system cannot
    /// be told apart.
    static func series(of status: FileStatus) -> UInt64? {
        SystemCalls.bootNumber.map { series(of: status, sinceStart: $0) }
    }

    /// Returns the same for a given boot of the system.
    static func series(of status: FileStatus, sinceStart boot: UInt64) -> UInt64 {
        WordHash(seed: boot).adding(status.identity.device, status.identity.inode)
            .adding(UInt64(status.identity.size), UInt64(bitPattern: status.identity.modified))
            .adding(UInt64(bitPattern: status.changed), boot).state
    }
}
