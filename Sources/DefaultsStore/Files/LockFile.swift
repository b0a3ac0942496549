/// The lock file: one page; never renamed, truncated or unlinked.
///
/// | bytes | meaning |
/// |---|---|
/// | 0-7 | the generation, little endian: how many commits have been begun |
/// | 8-13 | `TDLOCK` |
/// | 14-15 | the version of the format, little endian |
/// | 16-19 | the id of the process that raised the generation last: for naming a change's cause, never for locking |
/// | 24-31 | when the longest-waiting process began to wait for the lock, in nanoseconds of the monotonic clock |
/// | 32-39 | when that process last confirmed that it waits; an old time is ignored |
/// | 40-47 | that somebody listens: one more than the generation at that time, see ``Doorbell`` |
/// | 48-135 | unused |
/// | 136-167 | how far the journal is checkpointed, see ``CheckpointMark`` |
enum LockFile {
    static let version: UInt16 = 2
    /// The greatest valid generation, here and in the journal: counting never reaches it, and a damaged one
    /// beyond it could not be raised.
    static let greatestGeneration = UInt64.max / 2
    private static var magic: [UInt8] { Array("TDLOCK".utf8) }

    /// Opens the lock file for reading and writing, creating it if it is missing.
    static func open(in folder: borrowing Descriptor, _ location: SuiteLocation) throws(DefaultsError)
        -> Descriptor
    {
        let path = location.lockPath
        let file = try DefaultsError.writing(
            path, SystemCalls.open(location.lock, in: folder, .createOrOpen).stayingOpen())
        let status = try DefaultsError.reading(path, SystemCalls.status(of: file))
        try RegularFile.check(status.inode, path, isWrittenInPlace: true)
        if status.permissions != 0o600, status.owner == SystemCalls.userID {
            try DefaultsError.writing(path, SystemCalls.setMode(0o600, of: file))
        }
        if status.identity.size < MappedPage.size { try fill(file, path) }
        return file
    }

    /// F7: writes the whole page, so that every byte of it has its place on the disk before anybody maps it.
    ///
    /// Extending the file by truncation would leave a hole, and a load from a hole on a full disk kills the process.
    private static func fill(_ file: borrowing Descriptor, _ path: String) throws(DefaultsError) {
        try WriterLock.wait(for: file, nil, until: .after(milliseconds: WriterLock.limit), path)
        try DefaultsError.writing(path) { () throws(SystemError) in
            let present = try SystemCalls.read(file, count: MappedPage.size, at: 0)
            if present.count < MappedPage.size {
                var page = present + [UInt8](repeating: 0, count: MappedPage.size - present.count)
                page.replaceSubrange(8..<16, with: mark)
                // The kernel would kill the program, which perhaps only reads.
                guard SystemCalls.mostBytesOfFile >= MappedPage.size else {
                    throw SystemError(call: "pwrite", errno: SystemError.tooLarge)
                }
                try SystemCalls.write(page, to: file, at: 0)
            }
            try SystemCalls.unlock(file)
        }
    }

    /// Bytes 8 to 15.
    private static var mark: [UInt8] { littleEndian(markNumber) }
    /// The same as a number, spelled out because every new process compares it.
    private static let markNumber: UInt64 = 0x0002_4B43_4F4C_4454

    /// Bytes 0 to 19; the padding after the last number is never written.
    ///
    /// They are written together although the mark never changes: of fewer than 16 bytes Apple's kernel copies each byte
    /// by itself, and whoever has mapped the page could read half of a generation.
    private struct Front: BitwiseCopyable {
        let generation: UInt64
        let mark: UInt64
        let process: UInt32
    }

    /// Refuses files of a version that this code does not know; bytes that are no version at all are repaired by the
    /// next raise.
    static func checkVersion(
        _ file: borrowing Descriptor, _ page: MappedPage?, _ path: @autoclosure () -> String
    ) throws(DefaultsError) {
        // A mapped page needs no system call.
        let present: [UInt8]
        if let page {
            if page.mark == markNumber { return }
            present = littleEndian(page.mark)
        } else {
            do { present = try SystemCalls.read(file, count: 8, at: 8) } catch {
                throw .reading(path(), error)
            }
        }
        guard present.count == 8, present.starts(with: magic) else { return }
        let found = UInt16(present[6]) | UInt16(present[7]) << 8
        guard found <= version else {
            throw DefaultsError(
                .unsupportedFormat, path: path(), underlyingDescription: "its format is \(found)")
        }
    }

    static func isKnown(_ page: MappedPage) -> Bool { page.mark == markNumber }

    /// Sets the generation, in one write call, together with the mark and the process's id.
    static func raise(
        _ file: borrowing Descriptor, to generation: UInt64, _ path: @autoclosure () -> String
    ) throws(DefaultsError) {
        let process = UInt32(bitPattern: SystemCalls.processID)
        // Decided by the compiler.
        precondition(MemoryLayout<Front>.size >= 16, "the generation could be read torn")
        do {
            try SystemCalls.write(
                numbers: Front(
                    generation: generation.littleEndian, mark: LockFile.markNumber.littleEndian,
                    process: process.littleEndian),
                to: file, at: 0)
        } catch {
            throw .writing(path(), error)
        }
    }

    /// Returns the generation, read from the file because no page is mapped.
    static func generation(_ file: borrowing Descriptor, _ path: String) throws(DefaultsError) -> UInt64 {
        try number(in: file, at: 0, count: 8, path)
    }

    static func process(_ file: borrowing Descriptor, _ path: String) throws(DefaultsError) -> Int32 {
        Int32(bitPattern: UInt32(truncatingIfNeeded: try number(in: file, at: 16, count: 4, path)))
    }

    private static func number(
        in file: borrowing Descriptor, at place: Int, count: Int, _ path: String
    ) throws(DefaultsError) -> UInt64 {
        let bytes = try DefaultsError.reading(path, SystemCalls.read(file, count: count, at: place))
        return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Records that this process waits for the lock, and since when; 0 removes the note.
    static func markWaiting(
        _ file: borrowing Descriptor, since: UInt64, _ path: String
    ) throws(DefaultsError) {
        let now = since == 0 ? 0 : SystemCalls.monotonicNanoseconds
        do { try SystemCalls.write(numbers: (since.littleEndian, now.littleEndian), to: file, at: 24) } catch
        {
            throw .writing(path, error)
        }
    }

    private static func littleEndian<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) -> [UInt8]
    {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
