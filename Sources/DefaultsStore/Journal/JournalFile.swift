/// One inode of the journal, held open: its name may come to stand for another one.
final class JournalFile: Sendable {
    let descriptor: Descriptor
    let isWritable: Bool
    /// As of when it was opened.
    let inode: Inode

    init(_ descriptor: consuming Descriptor, _ status: FileStatus, isWritable: Bool = true) {
        // Otherwise each read after a commit would update the inode's access time, at several times the cost of the
        // read.
        SystemCalls.keepAccessTime(descriptor)
        self.descriptor = descriptor.stayingOpen()
        inode = status.inode
        self.isWritable = isWritable
    }

    func isFile(of other: Inode) -> Bool { inode.isSameFile(as: other) }

    /// Whether nothing has changed about a file of ours that would make it unusable.
    func isAsTrusted(as other: Inode) -> Bool {
        other.isRegular && other.owner == inode.owner && other.linkCount <= 1
    }

    /// Both are open descriptors of one inode.
    func isFile(of other: JournalFile) -> Bool { inode.isSameFile(as: other.inode) }
}

/// What was read of the journal at one time.
///
/// A class, because every state has one.
final class JournalState: Sendable {
    let file: JournalFile
    /// Nil if the file does not begin with a valid header; then it has no records.
    let header: JournalHeader?
    /// Where the next record goes: after the last good one; 0 if there is no header.
    let end: Int
    /// How many bytes follow that position: what a writer left that died, or failed, half way.
    let surplus: Int
    /// How many zeros follow that position instead of a surplus: room for records to come (F17).
    let reserve: Int
    /// The last good record's generation, or the header's, or 0.
    let generation: UInt64
    /// The last generation whose changes are all in the settings file, as far as was known when the records were
    /// read: records up to it are ignored (F18).
    let checkpointed: UInt64
    /// Where the last record ends that is known to be one of those; what follows is read by every process that opens the
    /// suite.
    let checkpointedEnd: Int
    /// Of the last good record; nil without records.
    let process: Int32?

    /// Whether there is a record that the settings file may not have.
    var hasRecords: Bool { generation > checkpointed }
    /// The number of bytes that the settings file may not have.
    var pendingLength: Int { end - checkpointedEnd }

    /// Whether there are records after the header, and the settings file has all of them.
    var isFullyCheckpointed: Bool { header != nil && !hasRecords && end > JournalHeader.length }

    /// Creates the state before anything but the header has been read.
    ///
    /// - Parameter mark: what need not be read, because it is known to be checkpointed.
    convenience init(
        file: JournalFile, header: JournalHeader?, surplus: Int = 0, mark: CheckpointMark? = nil
    ) {
        self.init(
            file: file, header: header,
            end: mark?.end ?? (header == nil ? 0 : JournalHeader.length), surplus: surplus,
            generation: mark?.generation ?? header?.generation ?? 0, checkpointed: mark?.generation,
            checkpointedEnd: mark?.end, process: nil)
    }

    init(
        file: JournalFile, header: JournalHeader?, end: Int, surplus: Int, reserve: Int = 0,
        generation: UInt64, checkpointed: UInt64? = nil, checkpointedEnd: Int? = nil, process: Int32?
    ) {
        self.file = file
        self.header = header
        self.end = end
        self.surplus = surplus
        self.reserve = reserve
        self.generation = generation
        self.checkpointed = checkpointed ?? header?.generation ?? 0
        self.checkpointedEnd = checkpointedEnd ?? min(end, JournalHeader.length)
        self.process = process
    }

    /// Returns the same with nothing but a reserve behind the last good record.
    func with(reserve: Int) -> JournalState {
        JournalState(
            file: file, header: header, end: end, surplus: 0, reserve: reserve, generation: generation,
            checkpointed: checkpointed, checkpointedEnd: checkpointedEnd, process: process)
    }

    /// Returns the same with more of it checkpointed: the settings file has what was changed up to a generation.
    ///
    /// - Parameter checkpointedEnd: where the record of that generation ends.
    func with(checkpointed: UInt64, end checkpointedEnd: Int? = nil) -> JournalState {
        JournalState(
            file: file, header: header.map { JournalHeader(nonce: $0.nonce, generation: checkpointed) },
            end: end,
            surplus: surplus, reserve: reserve, generation: generation, checkpointed: checkpointed,
            checkpointedEnd: checkpointedEnd ?? self.checkpointedEnd, process: process)
    }

    /// Whether both were read from the same run of the same file, so that one can continue where the other ended.
    func hasSameNonce(as other: JournalState) -> Bool {
        file === other.file && header?.nonce == other.header?.nonce
    }
}
