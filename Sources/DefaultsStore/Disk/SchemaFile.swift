/// The file of a JSON Schema: made for people and their editors, and never read by a suite.
enum SchemaFile {
    /// Puts a text in the file's place, as a whole, unless it is there already; the folder is created if it is
    /// missing.
    ///
    /// - Throws: `.insecureDirectory` if a link or anything but a file is in its place, or the folder is not safe;
    ///   `.readOnly`, `.diskFull`, `.io`. The old file is still there then.
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
        let likeness = try Likeness(of: place.settings, in: folder, place.path)
        return try WholeFile.put(text, like: likeness, at: place, in: folder).map { .unlike(place.path, $0) }
    }

    private static func isSame(
        _ text: [UInt8], _ present: borrowing RegularFile.Opened, _ path: String
    ) throws(DefaultsError) -> Bool {
        guard present.status.identity.size == text.count else { return false }
        do { return try SystemCalls.read(present.file, count: text.count + 1, at: 0) == text } catch {
            throw .reading(path, error)
        }
    }
}
