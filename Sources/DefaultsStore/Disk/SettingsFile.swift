/// The settings file, S: looked up and read as a whole.
enum SettingsFile {
    /// The largest file that is read or written, in bytes.
    static let limit = 64 << 20

    /// What was read, and from which version of the file.
    final class Contents: Sendable {
        let bytes: [UInt8]
        let status: FileStatus

        init(bytes: [UInt8], status: FileStatus) { (self.bytes, self.status) = (bytes, status) }
    }

    /// A version of the file that stays as long as this object, whatever happens to its name.
    final class Held: Sendable {
        private let file: Descriptor
        let status: FileStatus

        fileprivate init(_ file: consuming Descriptor) throws(SystemError) {
            status = try SystemCalls.status(of: file)
            self.file = file
        }
    }

    /// Returns what the name stands for now, nil if there is no such name.
    static func status(_ files: SuiteFiles) throws(DefaultsError) -> FileStatus? {
        do {
            return try SystemCalls.status(files.location.settings, in: files.folder)
        } catch {
            if error.isMissing { return nil }
            throw .reading(files.location.path, error)
        }
    }

    /// Returns the same, with the file held open, for a caller that is about to replace it.
    ///
    /// A file's blocks are freed when its last name and its last descriptor are gone. That takes longer than
    /// everything else that is done under the lock, and so it is done after it.
    static func hold(_ files: SuiteFiles) throws(DefaultsError) -> Held? {
        do {
            let file = try SystemCalls.hold(files.location.settings, in: files.folder)
            return try Held(file)
        } catch {
            if error.isMissing { return nil }
            throw .reading(files.location.path, error)
        }
    }

    /// Reads the file, again if it was changed while it was read, at most ten times.
    ///
    /// - Returns: nil if there is no file. Every other failure throws: failure is never absence.
    static func read(_ files: SuiteFiles) throws(DefaultsError) -> Contents? {
        let path = files.location.path
        guard let opened = try RegularFile.open(files.location.settings, in: files.folder, path) else {
            return nil
        }
        let read = try RegularFile.readWhole(opened.file, opened.status) { (status) throws(DefaultsError) in
            guard status.identity.size <= limit else { throw DefaultsError(.valueTooLarge, path: path) }
        } refusal: {
            .reading(path, $0)
        }
        guard let read else {
            throw DefaultsError(.io, path: path, underlyingDescription: RegularFile.changing)
        }
        return Contents(bytes: read.bytes, status: read.status)
    }

    /// Whether the file is still of a version and has some bytes, which its times may not tell yet.
    static func stillIs(
        _ identity: FileStatus.Identity, _ bytes: [UInt8], _ files: SuiteFiles
    ) throws(DefaultsError) -> Bool {
        let path = files.location.path
        guard let opened = try RegularFile.open(files.location.settings, in: files.folder, path) else {
            return false
        }
        guard opened.status.identity == identity else { return false }
        do {
            guard try SystemCalls.holds(opened.file, bytes) else { return false }
            return try SystemCalls.status(of: opened.file).identity == identity
        } catch {
            throw .reading(path, error)
        }
    }
}
