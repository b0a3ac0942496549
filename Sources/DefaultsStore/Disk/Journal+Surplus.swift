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
            _ = try DamagedCopies.keep(surplus(of: state, path), holding: lock)
        }
        if Safeguard.cutTornTail.isOn {
            try DefaultsError.writing(path) { () throws(SystemError) in
                try SystemCalls.truncate(state.file.descriptor, to: state.end)
            }
        }
        return JournalState(
            file: state.file, header: state.header, end: state.end, surplus: 0, generation: state.generation,
            checkpointed: state.checkpointed, process: state.process)
    }

    /// The longest surplus that is read into memory.
    static let greatestCopy = 1 << 20

    /// Whether what follows the last good record is what our own writers leave when they die.
    static func isSurplusTorn(_ state: JournalState, _ path: String) throws(DefaultsError) -> Bool {
        guard state.surplus > greatestCopy else { return isTorn(try surplus(of: state, path), state.header) }
        return try isLongTorn(state, path)
    }

    private static func surplus(of state: JournalState, _ path: String) throws(DefaultsError) -> [UInt8] {
        try DefaultsError.reading(path) { () throws(SystemError) in
            try SystemCalls.readToEnd(state.file.descriptor, from: state.end)
        }
    }

    /// Whether bytes are what an incomplete write leaves: zeros, or less than a line.
    private static func isTorn(_ bytes: [UInt8], _ header: JournalHeader?) -> Bool {
        guard let header else {
            let isShort = bytes.count < JournalHeader.length && !bytes.contains(UInt8(ascii: "\n"))
            return isShort && JournalHeader.maybeBegan(bytes[...]) || Zeros.fill(bytes[...])
        }
        let rest = withoutEarlierRecords(bytes[...], header)
        if Zeros.fill(rest) { return true }
        guard JournalRecord.maybeBegan(rest) else { return false }
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return true }
        // The last byte of a line has been written: nothing before it is missing except what a power cut turned into
        // zeros.
        return end == rest.endIndex - 1 && rest.contains(0) && mayEnd(behind: rest[..<end].last)
    }

    /// Whether a line of ours may end after a byte.
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
                areZeros = areZeros && Zeros.fill(piece[...])
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
    /// Whether a line may have begun as a header.
    fileprivate static func maybeBegan(_ line: ArraySlice<UInt8>) -> Bool {
        let start = zip(line, magic.utf8).allSatisfy { $0 == $1 || $0 == 0 }
        return start && hasDigits(line.dropFirst(5).prefix(length - 6), spaces: [16, 33])
    }
}

extension JournalRecord {
    /// Whether a line may have begun as a record.
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
