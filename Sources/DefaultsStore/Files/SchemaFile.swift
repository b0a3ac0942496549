/// The file of a JSON Schema: made for users and their editors, and never read by a suite.
enum SchemaFile {
    /// Puts a text in the file's place, as a whole, unless it is there already; the folder is created if it is
    /// missing.
    ///
    /// - Throws: `.insecureDirectory` if a link or anything but a file is in its place, or the folder is not safe;
    ///   `.readOnly`, `.diskFull`, `.ioFailure`. The old file is still there then.
    /// - Returns: what is to be reported: the new file could not be made like the old one.
    static func write(_ text: [UInt8], at place: SuiteLocation) throws(DefaultsError) -> DefaultsError? {
        let folder = try WholeFile.openFolder(of: place)
        if let present = try RegularFile.open(place.settings, in: folder, place.path) {
            if try isSame(text, present, place.path) { return nil }
            if present.status.isReadOnly {
                throw DefaultsError(
                    .readOnly, path: place.path,
                    underlyingDescription: "its owner has made the file read-only (chmod u+w)")
            }
        }
        let attributes = try FileAttributes(of: place.settings, in: folder, place.path)
        return try WholeFile.put(text, like: attributes, at: place, in: folder).map {
            .unlike(place.path, $0)
        }
    }

    private static func isSame(
        _ text: [UInt8], _ present: borrowing RegularFile.Opened, _ path: String
    ) throws(DefaultsError) -> Bool {
        guard present.status.identity.size == text.count else { return false }
        return try DefaultsError.reading(
            path, SystemCalls.read(present.file, count: text.count + 1, at: 0) == text)
    }
}

/// How a settings file names its schema: a URI reference that an editor resolves relative to the settings file.
enum SchemaReference {
    /// Returns the relative path from a folder to a file, as in `./settings.schema.json`, or a whole `file:` URI if
    /// there is none.
    static func text(to path: String, from folder: String) -> String {
        let (target, base) = (SuiteLocation.parts(of: path), SuiteLocation.parts(of: folder))
        var common = 0
        while common < min(target.count - 1, base.count), target[common] == base[common] { common += 1 }
        let up = base[common...]
        // What is above a name that may be a link is not known.
        guard !up.contains("..") else { return "file://" + encoded(target.map { "/" + $0 }.joined()) }
        let start = up.isEmpty ? "./" : up.map { _ in "../" }.joined()
        return start + encoded(target[common...].joined(separator: "/"))
    }

    private static func encoded(_ path: String) -> String {
        path.utf8.map { $0 == UInt8(ascii: "/") ? "/" : SuiteName.encode($0) }.joined()
    }
}
