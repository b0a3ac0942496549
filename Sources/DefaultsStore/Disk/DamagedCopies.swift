/// The files Q: bytes that could not be used, kept under a name of their own before anything replaces them.
enum DamagedCopies {
    /// Keeps a file under a second name, by a link.
    ///
    /// - Returns: the name that it is kept under.
    static func keep(fileNamed name: String, holding lock: borrowing HeldWriterLock) throws(DefaultsError)
        -> String
    {
        let files = lock.files
        return try underFreeName(files) { (copy) throws(SystemError) in
            try SystemCalls.link(name, as: copy, in: files.folder)
        }
    }

    /// Keeps bytes in a new file.
    ///
    /// - Returns: the name that they are kept under.
    static func keep(_ bytes: [UInt8], holding lock: borrowing HeldWriterLock) throws(DefaultsError) -> String
    {
        let files = lock.files
        return try underFreeName(files) { (copy) throws(SystemError) in
            let file = try SystemCalls.open(copy, in: files.folder, .createNew)
            do throws(SystemError) {
                try SystemCalls.setMode(0o600, of: file)
                try SystemCalls.write(bytes, to: file, at: 0)
                try SystemCalls.synchronize(file)
            } catch let refusal {
                // The bytes are still where they were, and one name for each attempt would use up all names. If this
                // fails too, an empty file stays behind.
                do { try SystemCalls.remove(copy, in: files.folder) } catch { throw refusal }
                throw refusal
            }
        }
    }

    /// Whether one of the names of a file that has several is one that it was kept under.
    static func have(_ inode: Inode, _ files: SuiteFiles) throws(DefaultsError) -> Bool {
        guard inode.linkCount > 1 else { return false }
        for number in 1...greatest {
            let name = files.location.damaged(number)
            do {
                if try SystemCalls.inode(name, in: files.folder).isSameFile(as: inode) { return true }
            } catch {
                // Users remove copies that they have looked at, so there may be others with higher numbers.
                if !error.isMissing { throw .reading(files.location.path(of: name), error) }
            }
        }
        return false
    }

    /// Moves a file that cannot stay where it is to a name of its own.
    static func moveAside(_ name: String, _ files: SuiteFiles) throws(SystemError) {
        for number in 1...greatest {
            do {
                try SystemCalls.link(name, as: files.location.damaged(number), in: files.folder)
                return
            } catch {
                guard error.isTaken, number < greatest else { throw error }
            }
        }
    }

    /// The highest number that is tried.
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
            .io, path: files.location.path,
            underlyingDescription: "10,000 damaged copies stand beside it already")
    }
}
