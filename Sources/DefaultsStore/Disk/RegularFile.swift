/// The rule for every file of a suite: a regular file of the user's own or of the administrator's.
enum RegularFile {
    /// Refuses links, folders, pipes, devices and other people's files.
    static func check(_ status: FileStatus, _ path: String) throws(DefaultsError) {
        guard status.isRegular else {
            throw DefaultsError(
                .insecureDirectory, path: path, underlyingDescription: "it is not a regular file")
        }
        guard SuiteDirectory.isTrusted(owner: status.owner) else {
            throw DefaultsError(
                .insecureDirectory, path: path, underlyingDescription: "it belongs to another user")
        }
    }

    /// A file that was found and may be used.
    struct Opened: ~Copyable {
        let file: Descriptor
        let status: FileStatus
    }

    /// Opens a name for reading; nil where nothing has it.
    static func open(
        _ name: String, in folder: borrowing Descriptor, _ path: String
    ) throws(DefaultsError) -> Opened? {
        let opened: Opened
        do {
            let file = try SystemCalls.open(name, in: folder, .read)
            let status = try SystemCalls.status(of: file)
            opened = Opened(file: file, status: status)
        } catch {
            if error.isMissing { return nil }
            throw .reading(path, error)
        }
        try check(opened.status, path)
        return opened
    }
}
