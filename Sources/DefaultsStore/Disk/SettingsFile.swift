/// The settings file, S: read whole, and replaced whole by one that is already on the disk.
enum SettingsFile {
    /// The largest file that is read or written, in bytes.
    static let limit = 64 << 20

    /// What was read, and which version of the file it was.
    struct Contents: Sendable {
        let bytes: [UInt8]
        let status: FileStatus
    }

    /// What the name stands for now, nil where nothing has it.
    static func status(_ files: SuiteFiles) throws(DefaultsError) -> FileStatus? {
        do {
            return try SystemCalls.status(files.location.settings, in: files.folder)
        } catch {
            if error.isMissing { return nil }
            throw .reading(files.location.path, error)
        }
    }

    /// Reads the file, anew when it was changed while it was read, ten times at most.
    ///
    /// - Returns: nil where there is no file. Every other refusal throws: failure is never absence.
    static func read(_ files: SuiteFiles) throws(DefaultsError) -> Contents? {
        let path = files.location.path
        guard let opened = try RegularFile.open(files.location.settings, in: files.folder, path) else {
            return nil
        }
        var before = opened.status
        for _ in 0..<10 {
            guard before.identity.size <= limit else { throw DefaultsError(.valueTooLarge, path: path) }
            let (bytes, after) = try DefaultsError.reading(path) { () throws(SystemError) in
                let bytes = try SystemCalls.read(opened.file, count: before.identity.size + 1, at: 0)
                return (bytes, try SystemCalls.status(of: opened.file))
            }
            if after.identity == before.identity, bytes.count == after.identity.size {
                return Contents(bytes: bytes, status: after)
            }
            before = after
        }
        throw DefaultsError(.io, path: path, underlyingDescription: "it keeps changing while it is read")
    }

    /// Writes the next settings file beside the present one and waits until it is on the disk.
    ///
    /// - Returns: which version the file will be once it has its name.
    /// - Throws: with the half-written file taken away again; the present one was not touched.
    static func prepare(
        _ bytes: [UInt8], permissions: UInt32, holding lock: borrowing HeldWriterLock
    ) throws(DefaultsError) -> FileStatus {
        let files = lock.files
        let name = files.location.temporary
        do {
            try SystemCalls.remove(name, in: files.folder)
            let file = try SystemCalls.open(name, in: files.folder, .createNew)
            try SystemCalls.setMode(permissions, of: file)
            try SystemCalls.write(bytes, to: file, at: 0)
            try SystemCalls.synchronize(file)
            return try SystemCalls.status(of: file)
        } catch {
            discard(holding: lock)
            throw .writing(files.location.path(of: name), error)
        }
    }

    /// F2: gives the prepared file its name and waits until the folder knows it on the disk.
    ///
    /// - Throws: `.io` also when the name was given and only the wait failed: then the change is there for every
    ///   process and may not survive power loss.
    static func replace(holding lock: borrowing HeldWriterLock) throws(DefaultsError) {
        let files = lock.files
        do {
            try SystemCalls.rename(files.location.temporary, to: files.location.settings, in: files.folder)
            try SystemCalls.synchronize(files.folder)
        } catch {
            discard(holding: lock)
            throw .writing(files.location.path, error)
        }
    }

    /// Waits until the folder knows on the disk whatever name was given last.
    static func synchronizeFolder(holding lock: borrowing HeldWriterLock) throws(DefaultsError) {
        let files = lock.files
        try DefaultsError.writing(files.location.path) { () throws(SystemError) in
            try SystemCalls.synchronize(files.folder)
        }
    }

    /// Takes away a prepared file that is not wanted; one that stays is removed by the next writer.
    static func discard(holding lock: borrowing HeldWriterLock) {
        let files = lock.files
        // The first failure is the one to tell; this one leaves a file that `prepare` removes before it starts.
        do { try SystemCalls.remove(files.location.temporary, in: files.folder) } catch { return }
    }

    /// Keeps the present file's bytes under a name of their own before something else takes its place.
    ///
    /// - Returns: the name.
    static func keepDamaged(holding lock: borrowing HeldWriterLock) throws(DefaultsError) -> String {
        let files = lock.files
        for number in 1..<10_000 {
            let name = files.location.damaged(number)
            do {
                try SystemCalls.link(files.location.settings, as: name, in: files.folder)
                try SystemCalls.synchronize(files.folder)
                return name
            } catch {
                if error.isTaken { continue }
                throw .writing(files.location.path(of: name), error)
            }
        }
        throw DefaultsError(
            .io, path: files.location.path,
            underlyingDescription: "10,000 damaged copies stand beside it already")
    }
}
