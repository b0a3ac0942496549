/// The index of a large settings file, behind the first page of the lock file: which version of the file it is of, and who
/// makes it.
///
/// A version is told by the settings file's device, inode, size and both times, within one start of the system: what power
/// loss leaves of a file may have the times of something else. The times tell versions apart only where the file had
/// rested for as long as the coarsest clock of a file system takes for a step when it was read; before that no index is
/// made of it.
///
/// It is made by the third load of one version that a process begins with, since it takes as long as reading the text to
/// its end and as much again, and a file that is read once between two writes is better off without. Nothing waits for it, and nothing
/// rests on its being there.
enum TextIndexNote {
    /// The smallest text that is worth it, in bytes.
    static let smallest = 65_536
    /// How long nothing may have been done to the file: more than the two seconds of FAT.
    static let rest: Int64 = 3_000_000_000
    /// Which process to open a version makes the index.
    static let opens: UInt64 = 3

    /// Counts that a new process has read a text, and makes the index where it is time.
    ///
    /// - Parameter moment: on the clock of files, before the file was read.
    static func consider(
        _ document: SettingsDocument, _ status: FileStatus, at moment: Int64, _ files: SuiteFiles
    ) {
        guard status.identity.size >= smallest, files.lock != nil, let page = files.page,
            LockFile.isKnown(page), moment &- max(status.identity.modified, status.changed) > rest,
            let series = series(of: status), page.textIndex?.series != series
        else { return }
        let opened = min(page.opens(ofSeries: series), opens) + 1
        guard opened >= opens else { return files.note(opens: opened, ofSeries: series) }
        make(of: document, series, files)
    }

    /// Makes the index of a text and says so.
    static func make(of document: SettingsDocument, _ series: UInt64, _ files: SuiteFiles) {
        document.readToEnd()
        // Also that there can be none is noted, or every process would find it out anew.
        guard let count = TextIndex.pageCount(of: document),
            let pages = TextIndex.pages(of: document, count: count, series: series)
        else { return files.note(TextIndexPages(series: series, count: 0)) }
        // Where the disk is full, the next ones that open the file begin to count again.
        guard files.write(pages) else { return files.note(opens: 0, ofSeries: series) }
        files.note(TextIndexPages(series: series, count: UInt64(count)))
    }

    /// What tells a version of the settings file from all others; nil where starts of the system cannot be told apart.
    static func series(of status: FileStatus) -> UInt64? {
        SystemCalls.bootNumber.map { series(of: status, sinceStart: $0) }
    }

    /// The same in a stated start of the system.
    static func series(of status: FileStatus, sinceStart boot: UInt64) -> UInt64 {
        WordHash(seed: boot).adding(status.identity.device, status.identity.inode)
            .adding(UInt64(status.identity.size), UInt64(bitPattern: status.identity.modified))
            .adding(UInt64(bitPattern: status.changed), boot).state
    }
}
