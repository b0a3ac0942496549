/// F17: room behind the last record, which is zeros, so that to wait for the disk is not to wait for the journal's length as well.
///
/// A file system puts a file's new length down in a log of its own, and the wait for that takes half as long again as the wait for
/// bytes that are written over others. So once a process waits for the disk, whoever of it appends makes the journal longer
/// than it has to, for about fifty records. (Databases do the same with their logs.)
///
/// Proof that a reserve is nobody's bytes. Zeros are no record and no part of one, so that readers end there as they would
/// at the file's end. A record is written over them as it would be behind them: what is there of one that was not written
/// to its end is a torn line as ever. Whoever is to write makes sure of the file's length, and of the zeros where that is
/// not the one it knows; a process that has written there since has raised the generation before, so that everybody loads
/// anew who has not seen it.
extension Journal {
    /// How long it is at least when it is made; it ends where a page does.
    private static let leastReserve = 2_048
    private static let page = 4_096
    /// More zeros are none, but what a power cut leaves.
    static let greatestReserve = leastReserve + page

    /// Makes room behind the last record where there is none left.
    ///
    /// - Returns: the state with it; the same where the disk, or a limit of the process, has no place for it.
    static func withReserve(
        _ state: JournalState, holding lock: borrowing HeldWriterLock
    ) -> JournalState {
        guard state.reserve == 0, state.surplus == 0, state.hasRecords else { return state }
        let end = (state.end + leastReserve + page - 1) / page * page
        // The kernel would end the program.
        guard SystemCalls.mostBytesOfFile >= end else { return state }
        let zeros = [UInt8](repeating: 0, count: end - state.end)
        let (written, refusal) = SystemCalls.writeWhatFits(zeros, to: state.file.descriptor, at: state.end)
        guard refusal == nil else {
            if written > 0 { cut(state) }
            return state
        }
        return state.with(reserve: zeros.count)
    }

    /// A state with the reserve that the file has by its length, be it another process's.
    ///
    /// - Parameter size: the file's length, seen under the lock.
    /// - Returns: nil where something else stands behind what is known.
    static func withReserve(
        of state: JournalState, size: Int, _ path: @autoclosure () -> String
    ) throws(DefaultsError) -> JournalState? {
        if size == state.end + state.surplus + state.reserve { return state }
        let count = size - state.end
        guard state.surplus == 0, let header = state.header, (0...greatestReserve).contains(count) else {
            return nil
        }
        let (front, back) = try DefaultsError.reading(path()) { () throws(SystemError) in
            let file = state.file
            return (
                try SystemCalls.read(file.descriptor, count: JournalHeader.length, at: 0),
                try SystemCalls.read(file.descriptor, count: count, at: state.end)
            )
        }
        // What has made all of it zeros, as a power cut may, has left no header.
        guard JournalHeader(front)?.nonce == header.nonce, back.count == count, Zeros.fill(back[...]) else {
            return nil
        }
        return state.with(reserve: count)
    }
}
