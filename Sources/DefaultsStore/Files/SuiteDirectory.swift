/// The folder of a suite: created if it is missing, and refused if others could change what is in it.
enum SuiteDirectory {
    /// Opens the folder, and on request creates it and its missing parents.
    ///
    /// - Returns: nil if the folder is missing and is not to be created.
    /// - Throws: `.insecureDirectory` for a folder that belongs to another user or that everybody can write,
    ///   `.readOnly` if it cannot be created, `.diskFull`, `.ioFailure`.
    static func open(_ location: SuiteLocation, creating: Bool) throws(DefaultsError) -> Descriptor? {
        let way = try SafePath.open(
            location.folder, creating: creating, allowsOthers: location.allowsInsecureDirectory)
        guard let folder = way else { return nil }
        // Without a lock file, its creator may have died before it had synced the folder's name, or has yet to do so.
        if creating {
            let lock = try DefaultsError.reading(
                location.lockPath, SystemError.nilIfMissing(SystemCalls.inode(location.lock, in: folder)))
            if lock == nil { try SafePath.synchronizeName(of: folder, location.folder) }
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
            let path = SystemCalls.isAbsolute(target) ? target : here.folder + "/" + target
            let next = SuiteLocation(
                path: path, allowsInsecureDirectory: here.allowsInsecureDirectory,
                isReadOnly: here.isReadOnly, isBehindLink: true)
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
        let path = location.path
        let found = try DefaultsError.reading(path, SystemError.nilIfMissing(SystemCalls.status(path: path)))
        guard let status = found else { return nil }
        guard status.isSymbolicLink else {
            // Before a lock file is created next to it, which may be in a folder that is not a suite's.
            try RegularFile.check(status.inode, path)
            return nil
        }
        guard let folder = try open(location, creating: false) else { return nil }
        try checkTrust(of: folder, location)
        return try SafePath.linkTarget(location.settings, in: folder, path)
    }

    private static func checkTrust(of folder: borrowing Descriptor, _ location: SuiteLocation)
        throws(DefaultsError)
    {
        guard !location.allowsInsecureDirectory else { return }
        let status = try DefaultsError.reading(location.folder, SystemCalls.status(of: folder))
        if status.canOthersWrite {
            let who = status.permissions & 0o002 != 0 ? "everybody" : "its group"
            throw DefaultsError(
                .insecureDirectory, path: location.folder, underlyingDescription: "\(who) can write in it")
        }
        if !isTrusted(owner: status.owner) {
            throw DefaultsError(
                .insecureDirectory, path: location.folder,
                underlyingDescription: "it " + belongs(to: status.owner))
        }
    }

    /// Removes everybody else's right to write to a suite's folder or to its settings file.
    ///
    /// - Parameters:
    ///   - path: that of the folder or of the file.
    ///   - location: the suite's, which no link leads away from.
    static func takeRightToWriteFromOthers(
        _ path: String, of location: SuiteLocation
    ) throws(DefaultsError) {
        let way = try SafePath.open(location.folder, allowsOthers: location.allowsInsecureDirectory)
        guard let folder = way else { return }
        if path == location.folder { return try takeRightToWriteFromOthers(folder, path) }
        guard let opened = try RegularFile.open(location.settings, in: folder, path) else { return }
        try takeRightToWriteFromOthers(opened.file, path)
    }

    private static func takeRightToWriteFromOthers(
        _ file: borrowing Descriptor, _ path: String
    ) throws(DefaultsError) {
        do {
            let status = try SystemCalls.status(of: file)
            let taken: UInt32 = SystemCalls.isOwn(group: status.group) ? 0o002 : 0o022
            try SystemCalls.setMode(status.permissions & ~taken, of: file)
        } catch {
            throw .writing(path, error)
        }
    }

    /// Says whose something is, and to root how to use it nevertheless.
    static func belongs(to owner: UInt32) -> String {
        guard SystemCalls.userID == 0 else { return "belongs to another user" }
        let name = SystemCalls.name(ofUser: owner)
        return "belongs to another user; do it as that user: sudo -u \(name ?? "'#\(owner)'")"
    }

    /// Whether files of this user may be used: the process's own user and root.
    static func isTrusted(owner: UInt32) -> Bool { owner == SystemCalls.userID || owner == 0 }
}
