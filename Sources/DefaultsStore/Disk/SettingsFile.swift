/// The settings file, S: looked up and read whole.
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
}
