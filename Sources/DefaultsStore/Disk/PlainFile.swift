/// A JSON file that comes with a program: read whole, never written, never locked.
package enum PlainFile {
    /// The members of a file that is one JSON object, in its order.
    ///
    /// - Throws: `.io` for a file that is missing or cannot be read, `.insecureDirectory` for what is no regular file,
    ///   `.valueTooLarge`, `.malformedFile` with its place.
    package static func members(path: String) throws(DefaultsError) -> [(key: KeyName, value: StoredValue)] {
        let (document, fault) = SettingsDocument.read(try bytes(path: path))
        if let fault {
            throw DefaultsError(
                .malformedFile, path: path, line: fault.line, column: fault.column,
                underlyingDescription: fault.reason)
        }
        return document.keys.compactMap { key in document.value(forKey: key).map { (key, $0) } }
    }

    /// The path of a file in the folder of the program that runs; nil where the system does not tell it.
    package static func besideExecutable(_ name: String) -> String? {
        let program = SystemCalls.executablePath
        return program.lastIndex(of: "/").map { program[...$0] + name }
    }

    private static func bytes(path: String) throws(DefaultsError) -> [UInt8] {
        guard !path.utf8.contains(0),
            let location = SuiteLocation(path: path, allowsInsecureDirectory: true)
        else { throw DefaultsError(.io, path: path, underlyingDescription: "the path names no file") }
        let opened = try open(location, path)
        let read = try RegularFile.readWhole(opened.file, opened.status) { (status) throws(DefaultsError) in
            guard status.isRegular else {
                throw DefaultsError(
                    .insecureDirectory, path: path, underlyingDescription: "it is not a regular file")
            }
            guard status.identity.size <= SettingsFile.limit else {
                throw DefaultsError(.valueTooLarge, path: path)
            }
        } refusal: {
            .reading(path, $0)
        }
        guard let read else {
            throw DefaultsError(.io, path: path, underlyingDescription: RegularFile.changing)
        }
        return read.bytes
    }

    private static func open(_ location: SuiteLocation, _ path: String) throws(DefaultsError)
        -> RegularFile.Opened
    {
        do {
            let folder = try SystemCalls.openDirectory(location.folder, followingLink: true)
            let file = try SystemCalls.open(location.settings, in: folder, .read)
            let status = try SystemCalls.status(of: file)
            return RegularFile.Opened(file: file, status: status)
        } catch {
            throw .reading(path, error)
        }
    }
}
