/// An administrator's file: read whole, and only where nobody but its owner can have written it.
struct ManagedFile: Hashable, Sendable {
    private let folder: String
    private let name: String

    /// The file's path.
    var path: String { folder + "/" + name }

    /// A file anywhere; nil where the path names none.
    init?(path: String) {
        guard !path.utf8.contains(0),
            let location = SuiteLocation(path: path, allowsInsecureDirectory: false)
        else { return nil }
        folder = location.folder
        name = location.settings
    }

    /// What the file says, with what is wrong with its text.
    struct Contents: Sendable {
        let document: SettingsDocument
        let fault: DefaultsError?
    }

    /// Reads the file; one that does not parse is given a moment to become whole.
    ///
    /// - Returns: nil where there is no file.
    /// - Throws: `.insecureDirectory` where the file or its folder belongs to another user than root and this one, or
    ///   where others than the owner can write it; `.valueTooLarge`, `.io`.
    func read() throws(DefaultsError) -> Contents? {
        let deadline = Deadline.after(milliseconds: 50)
        while true {
            guard let bytes = try bytes() else { return nil }
            let (document, fault) = SettingsDocument.read(bytes)
            guard let fault else { return Contents(document: document, fault: nil) }
            guard !deadline.hasPassed else {
                let error = DefaultsError(
                    .malformedFile, path: path, line: fault.line, column: fault.column,
                    underlyingDescription: fault.reason)
                return Contents(document: document, fault: error)
            }
            SystemCalls.pause(nanoseconds: 5_000_000)
        }
    }

    private func bytes() throws(DefaultsError) -> [UInt8]? {
        guard let folder = try openFolder() else { return nil }
        guard let opened = try RegularFile.open(name, in: folder, path) else { return nil }
        let status: FileStatus
        do { status = try SystemCalls.status(of: folder) } catch { throw .reading(self.folder, error) }
        try check(status, self.folder)
        return try bytes(of: opened)
    }

    private func openFolder() throws(DefaultsError) -> Descriptor? {
        do { return try SystemCalls.openDirectory(folder, followingLink: true) } catch {
            if error.isMissing { return nil }
            throw .reading(folder, error)
        }
    }

    private func bytes(of opened: borrowing RegularFile.Opened) throws(DefaultsError) -> [UInt8] {
        var before = opened.status
        for _ in 0..<10 {
            try check(before, path)
            guard before.identity.size <= SettingsFile.limit else {
                throw DefaultsError(.valueTooLarge, path: path)
            }
            let bytes: [UInt8]
            let after: FileStatus
            do {
                bytes = try SystemCalls.read(opened.file, count: before.identity.size + 1, at: 0)
                after = try SystemCalls.status(of: opened.file)
            } catch {
                throw .reading(path, error)
            }
            if after == before, bytes.count == after.identity.size { return bytes }
            before = after
        }
        throw DefaultsError(.io, path: path, underlyingDescription: "it keeps changing while it is read")
    }

    private func check(_ status: FileStatus, _ path: String) throws(DefaultsError) {
        let reason: String
        if !SuiteDirectory.isTrusted(owner: status.owner) {
            reason = "it belongs to another user"
        } else if status.permissions & 0o022 != 0 {
            reason = "others than its owner can write it"
        } else {
            return
        }
        throw DefaultsError(.insecureDirectory, path: path, underlyingDescription: reason)
    }
}
