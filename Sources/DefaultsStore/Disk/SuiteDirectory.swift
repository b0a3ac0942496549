/// The folder of a suite: created if it is missing, and refused if others could change what is in it.
enum SuiteDirectory {
    /// Opens the folder, and on request creates it and its missing parents.
    ///
    /// - Returns: nil if the folder is missing and is not to be created.
    /// - Throws: `.insecureDirectory` for a folder that belongs to another user or that everybody can write,
    ///   `.readOnly` if it cannot be created, `.diskFull`, `.io`.
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

    /// Resolves a settings file that is a symbolic link, as in dotfile setups.
    ///
    /// - Throws: `.insecureDirectory` if the link does not belong to the user, is in a folder that is not safe, or
    ///   leads through more than eight others, or if there is something other than a file.
    static func resolve(_ location: SuiteLocation) throws(DefaultsError) -> SuiteLocation {
        var here = location
        for _ in 0..<8 {
            guard let target = try linkTarget(of: here) else { return here }
            let path = target.hasPrefix("/") ? target : here.folder + "/" + target
            let next = SuiteLocation(
                path: path, allowsInsecureDirectory: here.allowsInsecureDirectory, isBehindLink: true)
            guard let next else {
                throw DefaultsError(
                    .insecureDirectory, path: here.path,
                    underlyingDescription: "the link does not lead to a file")
            }
            here = next
        }
        throw DefaultsError(
            .insecureDirectory, path: location.path, underlyingDescription: "the links do not end")
    }

    /// Returns where the settings file points, nil if it is not a link; verifies that the link can be trusted, and
    /// that what is no link is a file.
    private static func linkTarget(of location: SuiteLocation) throws(DefaultsError) -> String? {
        guard let status = try status(orMissing: location.path) else { return nil }
        guard status.isSymbolicLink else {
            // Before a lock file is created beside it, which may be in a folder that is not a suite's.
            try RegularFile.check(status.inode, location.path)
            return nil
        }
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

    /// Creates the suite's folder and what is missing above it; their names are durable when this returns.
    ///
    /// A folder without a lock file may be one whose creator died before it had synced the folder's name, or has yet
    /// to do so.
    private static func makeFolders(_ location: SuiteLocation) throws(DefaultsError) {
        guard try status(orMissing: location.lockPath) == nil else { return }
        try makeFolders(location.folder)
        try synchronizeName(of: location.folder)
    }

    private static func makeFolders(_ path: String) throws(DefaultsError) {
        guard try status(orMissing: path) == nil else { return }
        let parent = parent(of: path)
        try makeFolders(parent)
        // A file in a folder is a promise that the folder's own name is durable.
        try synchronizeName(of: parent)
        do { _ = try SystemCalls.makeDirectory(path) } catch { throw .writing(path, error) }
    }

    /// Waits until a folder's name is durable.
    private static func synchronizeName(of path: String) throws(DefaultsError) {
        do {
            try SystemCalls.synchronize(
                try SystemCalls.openDirectory(parent(of: path), followingLink: true))
        } catch {
            // A folder that may not be read is not one in which we create others; and some file systems cannot sync
            // folders.
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

    /// Removes everybody else's right to write to a folder or file.
    static func takeRightToWriteFromOthers(_ path: String) throws(DefaultsError) {
        try DefaultsError.writing(path) { () throws(SystemError) in
            let status = try SystemCalls.statusBehindLinks(path: path)
            try SystemCalls.setMode(status.permissions & ~0o002, ofPath: path)
        }
    }

    /// Whether files of this user may be used: the process's own user and root.
    static func isTrusted(owner: UInt32) -> Bool { owner == SystemCalls.userID || owner == 0 }
}
