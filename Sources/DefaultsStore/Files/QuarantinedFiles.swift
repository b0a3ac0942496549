/// Quarantined files: bytes that could not be used, kept under a name of their own before anything replaces them.
enum QuarantinedFiles {
    /// Keeps a file under a second name, by a link, or as a copy where it cannot have a second name.
    ///
    /// - Returns: the name that it is kept under.
    static func keep(fileNamed name: String, holding lock: borrowing HeldWriterLock) throws(DefaultsError)
        -> String
    {
        let files = lock.files
        return try underFreeName(files) { (copy) throws(SystemError) in
            try keep(name, as: copy, files)
        }
    }

    /// Takes back what was kept of a settings file that is still in its place.
    static func drop(
        _ copy: String, of settings: FileStatus.Identity?, holding lock: borrowing HeldWriterLock
    ) {
        let files = lock.files
        do throws(SystemError) {
            guard let settings,
                try SystemCalls.status(files.location.settings, in: files.folder).identity == settings
            else { return }
            try SystemCalls.remove(copy, in: files.folder)
        } catch {
            // The failure before is the one to report, and a copy too many does no harm.
            return
        }
    }

    /// The largest file that is copied, in bytes: one that was extended by hand may be larger than the disk.
    private static let greatestCopy = 256 << 20

    /// Gives a file a second name; a file system may have no such names, and a system refuses one to those who do not
    /// own the file and may not write it.
    private static func keep(_ name: String, as copy: String, _ files: SuiteFiles) throws(SystemError) {
        do throws(SystemError) { try SystemCalls.link(name, as: copy, in: files.folder) } catch let refusal {
            guard refusal.isForbidden || refusal.isUnsupported else { throw refusal }
            let file = try SystemCalls.open(name, in: files.folder, .read)
            let status = try SystemCalls.status(of: file)
            guard status.isRegular, status.identity.size <= greatestCopy else { throw refusal }
            try make(copy, files) { (copy) throws(SystemError) in try SystemCalls.copy(file, to: copy) }
        }
    }

    /// Makes a new file that is durable, or none.
    private static func make(
        _ copy: String, _ files: SuiteFiles, _ fill: (borrowing Descriptor) throws(SystemError) -> Void
    ) throws(SystemError) {
        let file = try SystemCalls.open(copy, in: files.folder, .createNew)
        do throws(SystemError) {
            try SystemCalls.setMode(0o600, of: file)
            try fill(file)
            try SystemCalls.synchronize(file)
        } catch let refusal {
            // The bytes are still where they were, and one name for each attempt would use up all names. If this
            // fails too, an empty file stays behind.
            do { try SystemCalls.remove(copy, in: files.folder) } catch { throw refusal }
            throw refusal
        }
    }

    /// Keeps bytes in a new file.
    ///
    /// - Returns: the name that they are kept under.
    static func keep(_ bytes: [UInt8], holding lock: borrowing HeldWriterLock) throws(DefaultsError) -> String
    {
        let files = lock.files
        return try underFreeName(files) { (copy) throws(SystemError) in
            try make(copy, files) { (file) throws(SystemError) in
                try SystemCalls.write(bytes, to: file, at: 0)
            }
        }
    }

    /// Whether one of the names of a file that has several is one that it was kept under.
    static func have(_ inode: Inode, _ files: SuiteFiles) throws(DefaultsError) -> Bool {
        guard inode.linkCount > 1 else { return false }
        for number in 1...greatest {
            let name = files.location.damaged(number)
            // Users remove copies that they have looked at, so there may be others with higher numbers.
            let kept = try DefaultsError.reading(
                files.location.path(of: name),
                SystemError.nilIfMissing(SystemCalls.inode(name, in: files.folder)))
            if kept?.isSameFile(as: inode) == true { return true }
        }
        return false
    }

    /// Gives a file that cannot stay where it is a name of its own; the caller removes the old one.
    static func quarantine(_ name: String, _ files: SuiteFiles) throws(SystemError) {
        for number in 1...greatest {
            do {
                try keep(name, as: files.location.damaged(number), files)
                return
            } catch {
                guard error.isTaken, number < greatest else { throw error }
            }
        }
    }

    private static let greatest = 10_000

    private static func underFreeName(
        _ files: SuiteFiles, _ make: (String) throws(SystemError) -> Void
    ) throws(DefaultsError) -> String {
        for number in 1...greatest {
            let name = files.location.damaged(number)
            do {
                try make(name)
                try SystemCalls.synchronizeFolder(files.folder)
                return name
            } catch {
                if error.isTaken { continue }
                throw .writing(files.location.path(of: name), error)
            }
        }
        throw DefaultsError(
            .ioFailure, path: files.location.path,
            underlyingDescription: "10,000 damaged copies stand beside it already")
    }
}
