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
        let (front, back) = try DefaultsError.reading(path()) { () throws(SystemError) in
            let file = state.file
            return (
                try SystemCalls.read(file.descriptor, count: JournalHeader.length, at: 0),
                try SystemCalls.read(file.descriptor, count: count, at: state.end)
            )
        }
        // If something has made all of it zeros, as a power cut may, there is no header left.
        guard JournalHeader(front)?.nonce == header.nonce, back.count == count, Zeros.fill(back[...]) else {
            return nil
        }
        return state.with(reserve: count)
    }
}
