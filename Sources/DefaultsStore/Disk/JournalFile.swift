/// One inode of the journal, J, held open: its name may come to stand for another.
final class JournalFile: Sendable {
    let descriptor: Descriptor
    /// Whether it could be opened for writing.
    let isWritable: Bool
    /// What was known of it when it was opened.
    let inode: Inode

    init(_ descriptor: consuming Descriptor, _ status: FileStatus, isWritable: Bool = true) {
        // Else each read behind a commit would change the file's inode, at several times the cost of the read.
        SystemCalls.keepAccessTime(descriptor)
        self.descriptor = descriptor
        inode = status.inode
        self.isWritable = isWritable
    }

    /// Whether a name that was looked up stands for this very file.
    func isFile(of other: Inode) -> Bool { inode.isSameFile(as: other) }

    /// Whether nothing about a file of ours has changed that would make it one that may not be used.
    func isAsTrusted(as other: Inode) -> Bool {
        other.isRegular && other.owner == inode.owner && other.linkCount <= 1
    }

    /// Whether both are open descriptors of one inode.
    func isFile(of other: JournalFile) -> Bool { inode.isSameFile(as: other.inode) }
}

/// What was read of the journal at one time.
///
/// A reference, since every state has one.
final class JournalState: Sendable {
    let file: JournalFile
    /// Nil where the file does not begin with one that counts; then it has no records.
    let header: JournalHeader?
    /// Where the next record goes: behind the last good one, 0 where there is no header.
    let end: Int
    /// How many bytes stand behind that place: what a writer left that died, or was refused, half way.
    let surplus: Int
    /// How many zeros stand behind that place in place of a surplus: room for records to come, see F17.
    let reserve: Int
    /// The last good record's generation, else the header's, else 0.
    let generation: UInt64
    /// The last generation whose changes are all in the settings file, as was known when the records were read: those up to
    /// it count for nothing any more (F18).
    let checkpointed: UInt64
    /// The process that wrote the last good record; nil without records.
    let process: Int32?

    /// Whether there is a record that the settings file may not have.
    var hasRecords: Bool { generation > checkpointed }

    /// Whether the settings file has all that stands behind the header, and something does.
    var isFullyCheckpointed: Bool { header != nil && !hasRecords && end > JournalHeader.length }

    /// The state before anything of the file but its header was read.
    ///
    /// - Parameter mark: what need not be read, because it is known to be done.
    convenience init(
        file: JournalFile, header: JournalHeader?, surplus: Int = 0, mark: CheckpointMark? = nil
    ) {
        self.init(
            file: file, header: header,
            end: mark?.end ?? (header == nil ? 0 : JournalHeader.length), surplus: surplus,
            generation: mark?.generation ?? header?.generation ?? 0, checkpointed: mark?.generation,
            process: nil)
    }

    init(
        file: JournalFile, header: JournalHeader?, end: Int, surplus: Int, reserve: Int = 0,
        generation: UInt64, checkpointed: UInt64? = nil, process: Int32?
    ) {
        self.file = file
        self.header = header
        self.end = end
        self.surplus = surplus
        self.reserve = reserve
        self.generation = generation
        self.checkpointed = checkpointed ?? header?.generation ?? 0
        self.process = process
    }

    /// The same with another reserve.
    func with(reserve: Int) -> JournalState {
        JournalState(
            file: file, header: header, end: end, surplus: surplus, reserve: reserve, generation: generation,
            checkpointed: checkpointed, process: process)
    }

    /// The same, known to stand for less: the settings file has what was changed up to a generation.
    func with(checkpointed: UInt64) -> JournalState {
        JournalState(
            file: file, header: header.map { JournalHeader(nonce: $0.nonce, generation: checkpointed) },
            end: end,
            surplus: surplus, reserve: reserve, generation: generation,
            checkpointed: checkpointed, process: process)
    }

    /// Whether both were read from the same time of the same file, so that one can go on where the other ended.
    func hasSameNonce(as other: JournalState) -> Bool {
        file === other.file && header?.nonce == other.header?.nonce
    }
}
