/// The files Q: bytes that could not be used, kept under a name of their own before anything takes their place.
enum DamagedCopies {
    /// Keeps the file that has a name: a second link to it.
    ///
    /// - Returns: the name it is kept under.
    static func keep(fileNamed name: String, holding lock: borrowing HeldWriterLock) throws(DefaultsError)
        -> String
    {
        let files = lock.files
        return try underFreeName(files) { (copy) throws(SystemError) in
            try SystemCalls.link(name, as: copy, in: files.folder)
        }
    }

    /// Keeps bytes.
    ///
    /// - Returns: the name they are kept under.
    static func keep(_ bytes: [UInt8], holding lock: borrowing HeldWriterLock) throws(DefaultsError) -> String
    {
        let files = lock.files
        return try underFreeName(files) { (copy) throws(SystemError) in
            let file = try SystemCalls.open(copy, in: files.folder, .createNew)
            try SystemCalls.setMode(0o600, of: file)
            try SystemCalls.write(bytes, to: file, at: 0)
            try SystemCalls.synchronize(file)
        }
    }

    /// Gives a file that stands where it cannot stay a name of its own.
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
