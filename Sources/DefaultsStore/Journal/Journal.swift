/// The journal: commits that the settings file does not have yet, one line each after a header.
///
/// It ends at the first line that is torn, has another nonce, or does not increase the generation.
enum Journal {
    /// Checks the file that has the name now, and its header.
    ///
    /// A process that may not read the journal still reads the settings file; for such a process there is no journal.
    ///
    /// - Parameter known: a file that is open already; it is used again if the name still stands for it.
    /// - Returns: nil if there is no journal.
    static func probe(_ files: SuiteFiles, known: JournalFile?) throws(DefaultsError) -> JournalState? {
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
            return try DefaultsError.reading(path, read(headerOf: file))
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

    /// With the file's present reserve; nil if anything else may have changed.
    static func untouched(_ state: JournalState, _ files: SuiteFiles) throws(DefaultsError) -> JournalState? {
        let inode = try DefaultsError.reading(
            files.location.journalPath,
            SystemError.nilIfMissing(SystemCalls.inode(files.location.journal, in: files.folder)))
        guard let inode, state.file.isFile(of: inode) else { return nil }
        if !state.file.isAsTrusted(as: inode) {
            // A process that kept this file under a second name, and died before a new file had the name, leaves it
            // with two names: what is kept is not written to.
            if try QuarantinedFiles.have(inode, files) { return nil }
            try RegularFile.check(inode, files.location.journalPath, isWrittenInPlace: true)
        }
        return try withReserve(of: state, size: inode.size, files.location.journalPath)
    }

    /// Whether the name stands for the file that a state was read from, or for none if there was none.
    static func isInPlace(_ state: JournalState?, _ files: SuiteFiles) throws(SystemError) -> Bool {
        let found = try SystemError.nilIfMissing(SystemCalls.inode(files.location.journal, in: files.folder))
        guard let inode = found else { return state == nil }
        return state?.file.isFile(of: inode) ?? false
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
            checkpointedEnd: state.checkpointedEnd, process: last?.process ?? state.process)
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
}

/// Writing the journal, for the holder of the lock.
extension Journal {
    /// The outcome of appending a record.
    struct Appended: Sendable {
        let state: JournalState
        /// Nil if the record is there.
        let error: DefaultsError?

        func with(_ state: JournalState) -> Appended { Appended(state: state, error: error) }
    }

    /// Appends the record of a commit in one write call, after a header if there is none.
    ///
    /// - Parameter generation: the one before it; if a header has to be written, the settings file has everything up to
    ///   it.
    static func append(
        _ changes: [StoredChange], to state: JournalState, after generation: UInt64,
        holding lock: borrowing HeldWriterLock
    ) -> Appended {
        let header = state.header ?? JournalHeader(generation: generation)
        let start = state.header == nil ? header.bytes : []
        let process = SystemCalls.processID
        let room = start.count + JournalRecord.greatestLength(of: changes)
        let (written, refusal) = ByteWriter.using(atMost: room) { lines in
            if !start.isEmpty { lines.put(start[...]) }
            JournalRecord.put(changes, of: process, at: generation + 1, in: &lines, header.nonce)
            let lines = lines.written(from: 0)
            // From here on the commit survives a kill. A power loss it survives once `synchronize` below has returned.
            return SystemCalls.writeWhatFits(
                UnsafeRawBufferPointer(lines), to: state.file.descriptor, at: state.end)
        }
        guard let refusal else {
            return Appended(
                state: JournalState(
                    file: state.file, header: header, end: state.end + written, surplus: 0,
                    reserve: max(0, state.reserve - written), generation: generation + 1,
                    checkpointed: state.header == nil ? nil : state.checkpointed,
                    checkpointedEnd: state.header == nil ? nil : state.checkpointedEnd, process: process),
                error: nil)
        }
        // What was not handed over may be there all the same.
        if written > 0 || state.file.descriptor.isRemote { cut(state) }
        let files = lock.files
        return Appended(state: state, error: .writing(files.location.journalPath, refusal))
    }

    /// Removes a part of a record that was written before a failure.
    static func cut(_ state: JournalState) {
        // The next record is written over what stays: the failure of the write is the one to report.
        do { try SystemCalls.truncate(state.file.descriptor, to: state.end) } catch { return }
    }

    /// Creates a missing file; ready to be appended to.
    static func openOrMake(holding lock: borrowing HeldWriterLock) throws(DefaultsError) -> JournalFile {
        let files = lock.files
        let path = files.location.journalPath
        let file = try DefaultsError.writing(
            path, SystemCalls.open(files.location.journal, in: files.folder, .createOrOpen))
        let status = try DefaultsError.reading(path, SystemCalls.status(of: file))
        try RegularFile.check(status.inode, path, isWrittenInPlace: true)
        if status.permissions != 0o600 {
            try DefaultsError.writing(path, SystemCalls.setMode(0o600, of: file))
        }
        return JournalFile(file, status)
    }

    /// Returns a state with its file opened for writing, if it could only be read when it was found.
    ///
    /// - Throws: `.readOnly` if it still can only be read.
    static func openForWriting(
        _ state: JournalState, holding lock: borrowing HeldWriterLock
    ) throws(DefaultsError) -> JournalState {
        let file = try openOrMake(holding: lock)
        guard file.isFile(of: state.file) else { return state }
        return JournalState(
            file: file, header: state.header, end: state.end, surplus: state.surplus,
            reserve: state.reserve, generation: state.generation, checkpointed: state.checkpointed,
            checkpointedEnd: state.checkpointedEnd, process: state.process)
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
    static func record(
        _ mark: CheckpointMark, in state: JournalState, holding lock: borrowing HeldWriterLock
    ) throws(DefaultsError) {
        let header = JournalHeader(nonce: mark.nonce, generation: mark.generation)
        try DefaultsError.writing(
            lock.files.location.journalPath, SystemCalls.write(header.bytes, to: state.file.descriptor, at: 0)
        )
    }

    /// Waits until all records are durable.
    static func synchronize(_ file: JournalFile, _ path: String) throws(DefaultsError) {
        try DefaultsError.writing(path, SystemCalls.synchronizeData(file.descriptor))
    }

    /// Keeps what somebody else put under the journal's name, or made of the journal, before a new file takes the
    /// name.
    private static func keepForeign(holding lock: borrowing HeldWriterLock) throws(DefaultsError) {
        let files = lock.files
        let name = files.location.journal
        let status = try DefaultsError.reading(
            files.location.path(of: name),
            SystemError.nilIfMissing(SystemCalls.status(name, in: files.folder)))
        guard let status, status.isRegular, status.identity.size > 0 else { return }
        if try QuarantinedFiles.have(status.inode, files) { return }
        _ = try QuarantinedFiles.keep(fileNamed: name, holding: lock)
    }

    /// F13: puts a new file in place of a journal that must not be written to any more.
    ///
    /// The kernel failed to sync it, and would not report that again; or it is somebody else's file, or is kept as it
    /// is.
    ///
    /// The new file holds all changes as one record, so that whichever of the two power loss leaves, no transaction
    /// is split; it has no record if the settings file has all changes.
    ///
    /// - Parameters:
    ///   - generation: the one that the new one ends with; usually that of the old one, since the values are the same.
    ///   - keepsOld: whether the old one is kept; only once the new one is ready to take its name, because a journal with
    ///     two names is refused.
    static func replace(
        _ state: JournalState, at generation: UInt64? = nil, changes: [StoredChange], keepsOld: Bool,
        holding lock: borrowing HeldWriterLock
    ) throws(DefaultsError) -> JournalState {
        let files = lock.files
        // A record has to count up from the header's generation.
        let last = max(generation ?? state.generation, 1)
        let header = JournalHeader(generation: changes.isEmpty ? last : last - 1)
        let record = changes.isEmpty ? nil : JournalRecord(generation: last, changes: changes)
        let bytes = header.bytes + (record?.line(header.nonce) ?? [])
        let next = try TemporaryFile.write(bytes, like: FileAttributes(of: nil), holding: lock)
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

/// F17: room after the last record, filled with zeros, so that syncing data does not have to wait for the journal's
/// length too.
///
/// A file system records a file's new length in a log of its own, and a sync that waits for that takes half as long
/// again as one of bytes written over others. So once a process waits for the disk, the next append in it makes the
/// journal longer than necessary, by room for about fifty records. (Databases do the same with their logs.)
///
/// Proof that a reserve is nobody's data. Zeros are neither a record nor a part of one, so readers end there as they
/// would at the end of the file. A record is written over them as it would be after them: the remains of a record
/// that was not written to its end are a torn line as usual. A writer verifies the file's length, and the zeros if
/// the length is not the one it knows. A process that has written there since has raised the generation before, so
/// everybody who has not seen that loads again.
extension Journal {
    /// The least length of a new reserve; it ends at a page boundary.
    private static let leastReserve = 2_048
    private static let page = 4_096
    /// More zeros than this are not a reserve, but what a power cut has left.
    static let greatestReserve = leastReserve + page

    /// Makes room after the last record if there is none left.
    ///
    /// - Returns: the state with it; the same state if the disk, or a limit of the process, has no room for it, or on a
    ///   file system that is not local, where the length is not what takes the time.
    static func withReserve(
        _ state: JournalState, holding lock: borrowing HeldWriterLock
    ) -> JournalState {
        guard lock.files.isLocal, state.reserve == 0, state.surplus == 0, state.hasRecords else {
            return state
        }
        let end = (state.end + leastReserve + page - 1) / page * page
        // The kernel would kill the program.
        guard SystemCalls.mostBytesOfFile >= end else { return state }
        let zeros = [UInt8](repeating: 0, count: end - state.end)
        let (written, refusal) = SystemCalls.writeWhatFits(zeros, to: state.file.descriptor, at: state.end)
        guard refusal == nil else {
            if written > 0 { cut(state) }
            return state
        }
        return state.with(reserve: zeros.count)
    }

    /// Returns a state with the reserve that the file has according to its length, even if another process made it.
    ///
    /// What was surplus may be gone by now: whoever restarts the journal writes the new header first, and then removes
    /// the records of the earlier run, which count for nothing in between.
    ///
    /// - Parameter size: the file's length, read under the lock.
    /// - Returns: nil if something else follows the known part.
    static func withReserve(
        of state: JournalState, size: Int, _ path: @autoclosure () -> String
    ) throws(DefaultsError) -> JournalState? {
        if size == state.end + state.surplus + state.reserve { return state }
        let count = size - state.end
        guard let header = state.header, (0...greatestReserve).contains(count) else { return nil }
        let front = try DefaultsError.reading(
            path(), SystemCalls.read(state.file.descriptor, count: JournalHeader.length, at: 0))
        let back = try DefaultsError.reading(
            path(), SystemCalls.read(state.file.descriptor, count: count, at: state.end))
        // If something has made all of it zeros, as a power cut may, there is no header left.
        guard JournalHeader(front)?.nonce == header.nonce, back.count == count,
            SystemCalls.areZeros(back[...])
        else {
            return nil
        }
        return state.with(reserve: count)
    }
}

/// What follows the last good record, for the holder of the lock.
extension Journal {
    /// F12: removes what follows the last good record, before anything is appended there.
    ///
    /// A torn line is nobody's commit. Anything else is first kept under a name of its own: by itself if it is short,
    /// otherwise with the whole file, because a file that was extended by hand may be larger than the memory and the
    /// disk.
    ///
    /// - Returns: nil if the whole file is to be kept, and another has to take its name; then nothing has been done
    ///   yet.
    static func cutSurplus(
        of state: JournalState, holding lock: borrowing HeldWriterLock
    ) throws(DefaultsError) -> JournalState? {
        guard state.surplus > 0 else { return state }
        let files = lock.files
        let path = files.location.journalPath
        let isTorn = try isSurplusTorn(state, path)
        if !isTorn {
            guard state.surplus <= greatestCopy else { return nil }
            _ = try QuarantinedFiles.keep(surplus(of: state, path), holding: lock)
        }
        try DefaultsError.writing(path, SystemCalls.truncate(state.file.descriptor, to: state.end))
        return state.with(reserve: 0)
    }

    /// The longest surplus that is read into memory.
    static let greatestCopy = 1 << 20

    /// Whether what follows the last good record is what our own writers leave when they die.
    static func isSurplusTorn(_ state: JournalState, _ path: String) throws(DefaultsError) -> Bool {
        guard state.surplus > greatestCopy else { return isTorn(try surplus(of: state, path), state.header) }
        return try isLongTorn(state, path)
    }

    private static func surplus(of state: JournalState, _ path: String) throws(DefaultsError) -> [UInt8] {
        try DefaultsError.reading(path, SystemCalls.readToEnd(state.file.descriptor, from: state.end))
    }

    /// Whether bytes are what an incomplete write leaves: zeros, or less than a line.
    private static func isTorn(_ bytes: [UInt8], _ header: JournalHeader?) -> Bool {
        guard let header else {
            let isShort = bytes.count < JournalHeader.length && !bytes.contains(UInt8(ascii: "\n"))
            return isShort && JournalHeader.maybeBegan(bytes[...]) || SystemCalls.areZeros(bytes[...])
        }
        let rest = withoutEarlierRecords(bytes[...], header)
        if SystemCalls.areZeros(rest) { return true }
        guard JournalRecord.maybeBegan(rest) else { return false }
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return true }
        // The last byte of a line has been written: nothing before it is missing except what a power cut turned into
        // zeros.
        return end == rest.endIndex - 1 && rest.contains(0) && mayEnd(behind: rest[..<end].last)
    }

    private static func mayEnd(behind byte: UInt8?) -> Bool { byte == 0 || byte == UInt8(ascii: "}") }

    /// Returns what follows records of an earlier run of the journal: the new header says that the settings file has
    /// them, and its writer died before it removed them.
    private static func withoutEarlierRecords(
        _ bytes: ArraySlice<UInt8>, _ header: JournalHeader
    ) -> ArraySlice<UInt8> {
        var rest = bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")), end - rest.startIndex > JournalRecord.front,
            let nonce = Hexadecimal.number(rest.dropFirst(9).prefix(16)), nonce != header.nonce,
            JournalRecord(rest[..<end], nonce: nonce) != nil
        {
            rest = rest[(end + 1)...]
        }
        return rest
    }

    /// Whether a surplus longer than a header is torn, read in pieces; if no write can leave one that long, it is not
    /// read.
    private static func isLongTorn(_ state: JournalState, _ path: String) throws(DefaultsError) -> Bool {
        guard state.surplus <= JournalRecord.longest else { return false }
        var (areZeros, isLine, hasZeros, hasEnd, count) = (true, state.header != nil, false, false, 0)
        var before: UInt8?
        _ = try DefaultsError.reading(path) { () throws(SystemError) in
            try SystemCalls.readPieces(state.file.descriptor, from: state.end) { piece in
                areZeros = areZeros && SystemCalls.areZeros(piece[...])
                if count == 0, !JournalRecord.maybeBegan(piece[...]) { isLine = false }
                if isLine, let end = piece.firstIndex(of: UInt8(ascii: "\n")) {
                    hasEnd = true
                    isLine = count + end >= state.surplus - 1 && mayEnd(behind: piece[..<end].last ?? before)
                }
                before = piece.last
                hasZeros = hasZeros || piece.contains(0)
                count += piece.count
                return areZeros || isLine
            }
        }
        return areZeros || isLine && (!hasEnd || hasZeros)
    }
}

extension JournalHeader {
    fileprivate static func maybeBegan(_ line: ArraySlice<UInt8>) -> Bool {
        let start = zip(line, magic.utf8).allSatisfy { $0 == $1 || $0 == 0 }
        return start && hasDigits(line.dropFirst(5).prefix(length - 6), spaces: [16, 33])
    }
}

extension JournalRecord {
    fileprivate static func maybeBegan(_ line: ArraySlice<UInt8>) -> Bool {
        hasDigits(line.prefix(front), spaces: [8, 25, 42])
    }
}

/// Whether there are only hexadecimal digits, and spaces in certain positions, or the zeros that a power cut leaves.
private func hasDigits(_ line: ArraySlice<UInt8>, spaces: [Int]) -> Bool {
    line.indices.allSatisfy { index in
        if line[index] == 0 { return true }
        return spaces.contains(index - line.startIndex)
            ? line[index] == UInt8(ascii: " ") : Hexadecimal.number(line[index...index]) != nil
    }
}
