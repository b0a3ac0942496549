/// The temporary file: a whole new file next to the one that it will replace, durable before it gets its
/// name.
enum TemporaryFile {
    /// A file that has been written and is durable.
    struct Written: ~Copyable {
        let file: Descriptor
        let status: FileStatus
        /// Why it lacks attributes of the file that it replaces.
        let refusal: SystemError?
    }

    /// Writes a new file and waits until it is durable.
    ///
    /// - Throws: the half-written file has been removed then.
    static func write(
        _ bytes: [UInt8], like attributes: borrowing FileAttributes, holding lock: borrowing HeldWriterLock
    ) throws(DefaultsError) -> Written {
        let files = lock.files
        let name = files.location.temporary
        do {
            try SystemCalls.remove(name, in: files.folder)
            return try fill(SystemCalls.open(name, in: files.folder, .createNew), bytes, attributes)
        } catch {
            discard(holding: lock)
            throw .writing(files.location.path(of: name), error)
        }
    }

    /// Writes a file without a name, and waits until it is durable: nobody comes across it, and it disappears with
    /// its process.
    ///
    /// - Returns: nil if there are no such files, or the folder is gone, which the kernel refuses in the same words as
    ///   a folder that may not be written.
    static func writeUnnamed(
        _ bytes: [UInt8], like attributes: borrowing FileAttributes, _ files: SuiteFiles
    ) throws(DefaultsError) -> Written? {
        do {
            return try fill(SystemCalls.openUnnamed(in: files.folder), bytes, attributes)
        } catch {
            if error.call == "openat(O_TMPFILE)", error.hasNoUnnamedFiles || isGone(files) { return nil }
            throw .writing(files.location.path(of: files.location.temporary), error)
        }
    }

    private static func isGone(_ files: SuiteFiles) -> Bool {
        do { return try SystemCalls.status(of: files.folder).inode.linkCount == 0 } catch { return false }
    }

    private static func fill(
        _ file: consuming Descriptor, _ bytes: [UInt8], _ attributes: borrowing FileAttributes
    ) throws(SystemError) -> Written {
        let refusal = try attributes.give(to: file)
        try SystemCalls.write(bytes, to: file, at: 0)
        try SystemCalls.synchronize(file)
        let status = try SystemCalls.status(of: file)
        return Written(file: file, status: status, refusal: refusal)
    }

    /// Gives such a file the name of a temporary one.
    ///
    /// - Returns: false if the system cannot.
    static func name(
        _ written: borrowing Written, holding lock: borrowing HeldWriterLock
    ) throws(DefaultsError) -> Bool {
        let files = lock.files
        let name = files.location.temporary
        do {
            try SystemCalls.remove(name, in: files.folder)
            try SystemCalls.give(name, to: written.file, in: files.folder)
            return true
        } catch {
            if error.call == "linkat", error.isMissing || error.isUnsupported || error.isForbidden {
                return false
            }
            throw .writing(files.location.path(of: name), error)
        }
    }

    /// If that fails, the next writer removes it.
    static func discard(holding lock: borrowing HeldWriterLock) {
        let files = lock.files
        // The first failure is the one to report; this one leaves a file that the next writer removes before it
        // starts.
        do { try SystemCalls.remove(files.location.temporary, in: files.folder) } catch { return }
    }
}
