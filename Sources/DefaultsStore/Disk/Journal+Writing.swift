/// Writing the journal, for the holder of the lock.
extension Journal {
    /// The outcome of appending some records.
    struct Appended: Sendable {
        /// The journal after the records that are intact.
        let state: JournalState
        /// How many of them, from the first, are intact: their commits are done.
        let count: Int
        /// Why the others are not.
        let error: DefaultsError?

        /// Returns the same with another state of the same records.
        func with(_ state: JournalState) -> Appended { Appended(state: state, count: count, error: error) }
    }

    /// Appends one record for each commit in one write call, after a header if there is none.
    ///
    /// - Parameters:
    ///   - commits: how many there are.
    ///   - changes: returns those of each, by its number.
    ///   - generation: the one before the first of them; if a header has to be written, the settings file has
    ///     everything up to it.
    static func append(
        _ commits: Int, _ changes: (Int) -> [KeyChange], to state: JournalState, after generation: UInt64,
        holding lock: borrowing HeldWriterLock
    ) -> Appended {
        let header = state.header ?? JournalHeader(generation: generation)
        let start = state.header == nil ? header.bytes : []
        let process = SystemCalls.processID
        var room = start.count
        for place in 0..<commits { room += JournalRecord.greatestLength(of: changes(place)) }
        let (written, refusal) = ByteWriter.using(atMost: room) { lines in
            if !start.isEmpty { lines.put(start[...]) }
            for place in 0..<commits {
                JournalRecord.put(
                    changes(place), of: process, at: generation + UInt64(place) + 1, in: &lines, header.nonce)
            }
            let lines = lines.written(from: 0)
            let (count, refusal) = SystemCalls.writeWhatFits(
                UnsafeRawBufferPointer(lines), to: state.file.descriptor, at: state.end)
            let whole =
                refusal == nil ? (commits, count) : wholeRecords(of: lines[..<count], start.count)
            return ((count: whole.0, end: whole.1, isAny: count > 0), refusal)
        }
        let count = written.count
        let isStarted = state.header != nil || count > 0
        let whole = JournalState(
            file: state.file, header: isStarted ? header : nil,
            end: isStarted ? state.end + written.end : 0, surplus: 0,
            reserve: refusal == nil ? max(0, state.reserve - written.end) : 0,
            generation: count > 0 ? generation + UInt64(count) : state.generation,
            checkpointed: state.header == nil ? nil : state.checkpointed,
            process: count > 0 ? process : state.process)
        guard let refusal else { return Appended(state: whole, count: count, error: nil) }
        // What was not handed over may be there all the same.
        if written.isAny || state.file.descriptor.isRemote { cut(whole) }
        let files = lock.files
        let error = DefaultsError.writing(files.location.journalPath, refusal)
        return Appended(state: whole, count: count, error: error)
    }

    /// Returns how many records are intact in the beginning of some lines, and where the last of these ends.
    private static func wholeRecords(
        of lines: Slice<UnsafeBufferPointer<UInt8>>, _ start: Int
    ) -> (count: Int, end: Int) {
        guard lines.count > start else { return (0, start) }
        let records = lines[start...]
        let newline = UInt8(ascii: "\n")
        return (records.count { $0 == newline }, records.lastIndex(of: newline).map { $0 + 1 } ?? start)
    }

    /// Removes a part of a record that was written before a failure.
    static func cut(_ state: JournalState) {
        // The next record is written over what stays: the failure of the write is the one to report.
        do { try SystemCalls.truncate(state.file.descriptor, to: state.end) } catch { return }
    }

    /// Returns the journal's file, created if it is missing, ready to be appended to.
    static func openOrMake(holding lock: borrowing HeldWriterLock) throws(DefaultsError) -> JournalFile {
        let files = lock.files
        let path = files.location.journalPath
        let file = try DefaultsError.writing(path) { () throws(SystemError) in
            try SystemCalls.open(files.location.journal, in: files.folder, .createOrOpen)
        }
        let status = try DefaultsError.reading(path) { () throws(SystemError) in
            try SystemCalls.status(of: file)
        }
        try RegularFile.check(status.inode, path, isWrittenInPlace: true)
        if status.permissions != 0o600 {
            try DefaultsError.writing(path) { () throws(SystemError) in
                try SystemCalls.setMode(0o600, of: file)
            }
        }
        return JournalFile(file, status)
    }

    /// Returns a state with its file opened for writing, if it could only be read when it was found.
    ///
    /// - Throws: `.readOnly` if it still can only be read.
    static func openedForWriting(
        _ state: JournalState, holding lock: borrowing HeldWriterLock
    ) throws(DefaultsError) -> JournalState {
        let file = try openOrMake(holding: lock)
        guard file.isFile(of: state.file) else { return state }
        return JournalState(
            file: file, header: state.header, end: state.end, surplus: state.surplus,
            reserve: state.reserve, generation: state.generation, checkpointed: state.checkpointed,
            process: state.process)
    }

    /// Declares that the settings file has everything, and restarts the journal; the inode is kept.
    ///
    /// F11: on return, before any record can follow it, the new header is durable, or an earlier one that declares
    /// all records checkpointed is. Without either, power loss could leave the old header and its first records, with
    /// later ones lost under new bytes: old values would come back.
    ///
    /// - Parameter isNoted: whether such an earlier header is durable.
    static func restart(
        _ state: JournalState, at generation: UInt64, isNoted: Bool, holding lock: borrowing HeldWriterLock
    ) throws(DefaultsError) -> JournalState {
        let files = lock.files
        let header = JournalHeader(generation: generation)
        try DefaultsError.writing(files.location.journalPath) { () throws(SystemError) in
            try SystemCalls.write(header.bytes, to: state.file.descriptor, at: 0)
            try SystemCalls.truncate(state.file.descriptor, to: JournalHeader.length)
            if !isNoted { try SystemCalls.synchronizeData(state.file.descriptor) }
        }
        return JournalState(file: state.file, header: header)
    }

    /// F18: declares in the header that the settings file has all up to a generation; the records stay.
    static func note(
        _ mark: CheckpointMark, in state: JournalState, holding lock: borrowing HeldWriterLock
    ) throws(DefaultsError) {
        let header = JournalHeader(nonce: mark.nonce, generation: mark.generation)
        try DefaultsError.writing(lock.files.location.journalPath) { () throws(SystemError) in
            try SystemCalls.write(header.bytes, to: state.file.descriptor, at: 0)
        }
    }

    /// Waits until all records are durable.
    static func synchronize(_ file: JournalFile, _ path: String) throws(DefaultsError) {
        try DefaultsError.writing(path) { () throws(SystemError) in
            try SystemCalls.synchronizeData(file.descriptor)
        }
    }

    /// Keeps what somebody else put under the journal's name, or made of the journal, before a new file takes the
    /// name.
    private static func keepForeign(holding lock: borrowing HeldWriterLock) throws(DefaultsError) {
        let files = lock.files
        let name = files.location.journal
        let status: FileStatus
        do { status = try SystemCalls.status(name, in: files.folder) } catch {
            if error.isMissing { return }
            throw .reading(files.location.path(of: name), error)
        }
        guard status.isRegular, status.identity.size > 0 else { return }
        if try DamagedCopies.have(status.inode, files) { return }
        _ = try DamagedCopies.keep(fileNamed: name, holding: lock)
    }

    /// F13: puts a new file in place of a journal that must not be written to any more.
    ///
    /// The kernel failed to sync it, and would not report that again; or it is somebody else's file, or is kept as it
    /// is.
    ///
    /// The new file holds all changes as one record, so that whichever of the two power loss leaves, no transaction
    /// is split; it has no record if the settings file has all changes.
    ///
    /// - Parameter keepsOld: whether the old one is kept; only once the new one is ready to take its name, because a
    ///   journal with two names is refused.
    static func replace(
        _ state: JournalState, changes: [KeyChange], keepsOld: Bool, holding lock: borrowing HeldWriterLock
    ) throws(DefaultsError) -> JournalState {
        let files = lock.files
        // The state keeps its generation, and a record has to count up from the header's.
        let last = max(state.generation, 1)
        let header = JournalHeader(generation: changes.isEmpty ? last : last - 1)
        let record = changes.isEmpty ? nil : JournalRecord(generation: last, changes: changes)
        let bytes = header.bytes + (record?.line(header.nonce) ?? [])
        let next = try TemporaryFile.write(bytes, like: Likeness(of: nil), holding: lock)
        if keepsOld { try keepForeign(holding: lock) }
        try DefaultsError.writing(files.location.journalPath) { () throws(SystemError) in
            try SystemCalls.rename(files.location.temporary, to: files.location.journal, in: files.folder)
            try SystemCalls.synchronizeFolder(files.folder)
        }
        return JournalState(
            file: JournalFile(next.file, next.status), header: header, end: bytes.count, surplus: 0,
            generation: last, process: record?.process)
    }
}
