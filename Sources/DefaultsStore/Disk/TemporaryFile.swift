/// The temporary file, T: a whole new file beside the one it will replace, on the disk before it gets its name.
enum TemporaryFile {
    /// A file that was written and is on the disk.
    struct Written: ~Copyable {
        let file: Descriptor
        let status: FileStatus
    }

    /// Writes a file anew and waits until it is on the disk.
    ///
    /// - Throws: with the half-written file taken away again.
    static func write(
        _ bytes: [UInt8], permissions: UInt32, holding lock: borrowing HeldWriterLock
    ) throws(DefaultsError) -> Written {
        let files = lock.files
        let name = files.location.temporary
        do {
            try SystemCalls.remove(name, in: files.folder)
            let file = try SystemCalls.open(name, in: files.folder, .createNew)
            try SystemCalls.setMode(permissions, of: file)
            try SystemCalls.write(bytes, to: file, at: 0)
            try SystemCalls.synchronize(file)
            let status = try SystemCalls.status(of: file)
            return Written(file: file, status: status)
        } catch {
            discard(holding: lock)
            throw .writing(files.location.path(of: name), error)
        }
    }

    /// Takes away a file that is not wanted; one that stays is removed by the next writer.
    static func discard(holding lock: borrowing HeldWriterLock) {
        let files = lock.files
        // The first failure is the one to tell; this one leaves a file that the next writer removes before it starts.
        do { try SystemCalls.remove(files.location.temporary, in: files.folder) } catch { return }
    }
}
