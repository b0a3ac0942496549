/// The journal, J: commits that the settings file does not have yet, one line each after a header.
///
/// It ends at the first line that is torn, has another nonce, or does not increase the generation.
enum Journal {
    /// Checks the file that has the name now, and its header.
    ///
    /// A process that may not read the journal still reads the settings file; for such a process there is no journal.
    ///
    /// - Parameter known: a file that is open already; it is used again if the name still stands for it.
    /// - Returns: nil if there is no journal.
    static func look(_ files: SuiteFiles, known: JournalFile?) throws(DefaultsError) -> JournalState? {
        let path = files.location.journalPath
        do throws(SystemError) {
            let inode = try SystemCalls.inode(files.location.journal, in: files.folder)
            if let known, known.isFile(of: inode) { return try read(headerOf: known) }
        } catch {
            if error.isMissing { return nil }
            throw .reading(path, error)
        }
        do throws(DefaultsError) {
            guard let file = try open(files, path) else { return nil }
            return try DefaultsError.reading(path) { () throws(SystemError) in try read(headerOf: file) }
        } catch {
            guard error.systemError?.isForbidden == true else { throw error }
            return nil
        }
    }

    /// Whether the name still stands for the file of a state, with the length that it had then, and may be written in
    /// place.
    ///
    /// - Throws: `.insecureDirectory` if what is written would show elsewhere.
    static func isUntouched(_ state: JournalState, _ files: SuiteFiles) throws(DefaultsError) -> Bool {
        try untouched(state, files) != nil
    }

    /// Returns the state with the reserve that the file has now, if nothing else can have changed; otherwise nil.
    static func untouched(_ state: JournalState, _ files: SuiteFiles) throws(DefaultsError) -> JournalState? {
        let inode: Inode
        do { inode = try SystemCalls.inode(files.location.journal, in: files.folder) } catch {
            if error.isMissing { return nil }
            throw .reading(files.location.journalPath, error)
        }
        guard state.file.isFile(of: inode) else { return nil }
        if !state.file.isAsTrusted(as: inode) {
            // A process that kept this file under a second name, and died before a new file had the name, leaves it
            // with two names: what is kept is not written to.
            if try DamagedCopies.have(inode, files) { return nil }
            try RegularFile.check(inode, files.location.journalPath, isWrittenInPlace: true)
        }
        return try withReserve(of: state, size: inode.size, files.location.journalPath)
    }

    /// Whether the name stands for the file that a state was read from, or for none if there was none.
    static func isInPlace(_ state: JournalState?, _ files: SuiteFiles) throws(SystemError) -> Bool {
        do {
            let inode = try SystemCalls.inode(files.location.journal, in: files.folder)
            return state?.file.isFile(of: inode) ?? false
        } catch {
            if error.isMissing { return state == nil }
            throw error
        }
    }

    private static func open(_ files: SuiteFiles, _ path: String) throws(DefaultsError) -> JournalFile? {
        // The journal is only written under the lock; without a lock file it may be a file that can only be read.
        guard files.lock != nil else { return try open(files, path, .read) }
        do throws(DefaultsError) { return try open(files, path, .readWrite) } catch {
            // Its permissions may have changed, or those of the whole file system: it can be read all the same.
            guard error.systemError?.isForbidden == true else { throw error }
            return try open(files, path, .read)
        }
    }

    private static func open(
        _ files: SuiteFiles, _ path: String, _ mode: SystemCalls.OpenMode
    ) throws(DefaultsError) -> JournalFile? {
        guard let opened = try RegularFile.open(files.location.journal, in: files.folder, path, mode) else {
            return nil
        }
        return JournalFile(opened.file, opened.status, isWritable: mode == .readWrite)
    }

    private static func read(headerOf file: JournalFile) throws(SystemError) -> JournalState {
        let bytes = try SystemCalls.read(file.descriptor, count: JournalHeader.length, at: 0)
        if let header = JournalHeader(bytes) { return JournalState(file: file, header: header) }
        // Nothing of it counts, and all of it is kept before it is removed.
        return JournalState(
            file: file, header: nil, surplus: try SystemCalls.status(of: file.descriptor).identity.size)
    }

    /// Reads the records after a state, except those whose changes the settings file is known to have (F18).
    ///
    /// - Parameter most: the most bytes to read; nil for all.
    /// - Returns: the records, and the state after the last good one.
    static func records(
        after state: JournalState, atMost most: Int? = nil, _ path: @autoclosure () -> String
    ) throws(DefaultsError) -> Read {
        guard let header = state.header else { return Read(records: [], state: state) }
        // The records that the header declares checkpointed follow it all the same.
        let isStart = state.end == JournalHeader.length
        var lines = JournalLines(nonce: header.nonce, after: isStart ? 0 : state.generation)
        let (surplus, reserve) = try DefaultsError.reading(path()) { () throws(SystemError) in
            let file = state.file
            do throws(SystemError) {
                guard let most else { return try read(&lines, from: state.end, file.descriptor) }
                _ = lines.take(try SystemCalls.read(file.descriptor, count: most, at: state.end, once: true))
            } catch {
                // Another machine has removed the file, which the check of its name finds out.
                guard error.isStale else { throw error }
            }
            return (lines.surplus, lines.reserve)
        }
        let last = lines.records.last
        let next = JournalState(
            file: state.file, header: header, end: state.end + lines.count, surplus: surplus,
            reserve: reserve,
            generation: max(last?.generation ?? 0, state.generation), checkpointed: state.checkpointed,
            process: last?.process ?? state.process)
        return Read(records: lines.records(after: state.checkpointed), state: next)
    }

    /// Reads lines as long as they are records.
    ///
    /// - Returns: how many bytes follow the last good record, or how many zeros if there is nothing else.
    static func read(
        _ lines: inout JournalLines, from start: Int, _ file: borrowing Descriptor
    ) throws(SystemError) -> (surplus: Int, reserve: Int) {
        if try SystemCalls.readPieces(file, from: start, { lines.take($0) }) {
            return (lines.surplus, lines.reserve)
        }
        let size = try SystemCalls.status(of: file).identity.size
        return (max(lines.surplus, size - start - lines.count), 0)
    }

    /// The records that were read, and the state of the journal after them.
    struct Read {
        let records: [JournalRecord]
        let state: JournalState
    }

    /// Reads the records that some bytes begin with.
    ///
    /// - Parameters:
    ///   - nonce: the header's; a record of another run of the journal ends the list.
    ///   - generation: that of what precedes the bytes: each record counts up from there.
    /// - Returns: the records, and how many bytes they take.
    static func parse(
        _ bytes: [UInt8], nonce: UInt64, after generation: UInt64
    ) -> (records: [JournalRecord], count: Int) {
        var lines = JournalLines(nonce: nonce, after: generation)
        _ = lines.take(bytes)
        return (lines.records, lines.count)
    }
}
