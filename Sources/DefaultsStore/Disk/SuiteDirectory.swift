/// The folder of a suite: made where it is missing, and refused where others could change what is in it.
enum SuiteDirectory {
    /// Opens the folder, making it and its missing parents where asked.
    ///
    /// - Returns: nil where the folder is missing and is not to be made.
    /// - Throws: `.insecureDirectory` for a folder of somebody else or one that everybody can write, `.readOnly`
    ///   where it cannot be made, `.diskFull`, `.io`.
    static func open(_ location: SuiteLocation, creating: Bool) throws(DefaultsError) -> Descriptor? {
        if creating { try makeFolders(location) }
        let folder: Descriptor
        do {
            folder = try SystemCalls.openDirectory(location.folder, followingLink: true)
        } catch {
            if error.isMissing, !creating { return nil }
            throw .reading(location.folder, error)
        }
        try checkTrust(of: folder, location)
        return folder
    }

    /// The location behind a settings file that is a symbolic link, as people keep their dotfiles.
    ///
    /// - Throws: `.insecureDirectory` when the link is not the user's own, stands in a folder that is not safe, or
    ///   leads through more than eight others.
    static func resolve(_ location: SuiteLocation) throws(DefaultsError) -> SuiteLocation {
        var here = location
        for hop in 0..<8 {
            guard let target = try linkTarget(of: here) else {
                // Looked at before a lock file is made beside it, which may be in a folder that is no suite's.
                if hop > 0, let status = try status(orMissing: here.path) {
                    try RegularFile.check(status.inode, here.path)
                }
                return here
            }
            let path = target.hasPrefix("/") ? target : here.folder + "/" + target
            guard let next = SuiteLocation(path: path, allowsInsecureDirectory: here.allowsInsecureDirectory)
            else {
                throw DefaultsError(
                    .insecureDirectory, path: here.path,
                    underlyingDescription: "the link does not lead to a file")
            }
            here = next
        }
        throw DefaultsError(
            .insecureDirectory, path: location.path, underlyingDescription: "the links do not end")
    }

    /// Where the settings file points, nil where it is no link; checks that the link can be trusted.
    private static func linkTarget(of location: SuiteLocation) throws(DefaultsError) -> String? {
        guard let status = try status(orMissing: location.path), status.isSymbolicLink else { return nil }
        guard let folder = try open(location, creating: false) else { return nil }
        try checkTrust(of: folder, location)
        guard isTrusted(owner: status.owner) else {
            throw DefaultsError(
                .insecureDirectory, path: location.path,
                underlyingDescription: "the link belongs to another user")
        }
        do { return try SystemCalls.linkTarget(location.path) } catch { throw .reading(location.path, error) }
    }

    private static func status(orMissing path: String) throws(DefaultsError) -> FileStatus? {
        do { return try SystemCalls.status(path: path) } catch {
            if error.isMissing { return nil }
            throw .reading(path, error)
        }
    }

    /// Makes the suite's folder and what is missing above it; their names are on the disk when this returns.
    ///
    /// A folder without a lock file may be one whose maker died, or has not come to it, before waiting for its name.
    private static func makeFolders(_ location: SuiteLocation) throws(DefaultsError) {
        guard try status(orMissing: location.lockPath) == nil else { return }
        try makeFolders(location.folder)
        try synchronizeName(of: location.folder)
    }

    private static func makeFolders(_ path: String) throws(DefaultsError) {
        guard try status(orMissing: path) == nil else { return }
        let parent = parent(of: path)
        try makeFolders(parent)
        // What is made in a folder says that the folder's own name is on the disk.
        try synchronizeName(of: parent)
        do { _ = try SystemCalls.makeDirectory(path) } catch { throw .writing(path, error) }
    }

    /// Waits until a folder's name is on the disk.
    private static func synchronizeName(of path: String) throws(DefaultsError) {
        do {
            try SystemCalls.synchronize(
                try SystemCalls.openDirectory(parent(of: path), followingLink: true))
        } catch {
            // A folder that may not be read is none that we make others in; and some file systems have no such waits.
            if !error.isForbidden, !error.isUnsupported { throw .writing(path, error) }
        }
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private static func checkTrust(of folder: borrowing Descriptor, _ location: SuiteLocation)
        throws(DefaultsError)
    {
        guard !location.allowsInsecureDirectory else { return }
        let status: FileStatus
        do { status = try SystemCalls.status(of: folder) } catch { throw .reading(location.folder, error) }
        if status.permissions & 0o002 != 0 {
            throw DefaultsError(
                .insecureDirectory, path: location.folder, underlyingDescription: "everybody can write in it")
        }
        if !isTrusted(owner: status.owner) {
            throw DefaultsError(
                .insecureDirectory, path: location.folder, underlyingDescription: "it belongs to another user"
            )
        }
    }

    /// Takes the right to write from everybody else, on a folder or file.
    static func takeRightToWriteFromOthers(_ path: String) throws(DefaultsError) {
        try DefaultsError.writing(path) { () throws(SystemError) in
            let status = try SystemCalls.statusBehindLinks(path: path)
            try SystemCalls.setMode(status.permissions & ~0o002, ofPath: path)
        }
    }

    /// Whether files of this user may be used: the process's own and the administrator's.
    static func isTrusted(owner: UInt32) -> Bool { owner == SystemCalls.userID || owner == 0 }
}
