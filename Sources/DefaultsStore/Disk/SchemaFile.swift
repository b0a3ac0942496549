/// The file of a JSON Schema: made for people and their editors, and never read by a suite.
enum SchemaFile {
    /// Puts a text in the file's place, as a whole, unless it is there already; the folder is created if it is
    /// missing.
    ///
    /// - Throws: `.insecureDirectory` if a link or anything but a file is in its place, or the folder is not safe;
    ///   `.readOnly`, `.diskFull`, `.io`. The old file is still there then.
    /// - Returns: what is to be reported: the new file could not be made like the old one.
    static func write(_ text: [UInt8], at place: SuiteLocation) throws(DefaultsError) -> DefaultsError? {
        let folder = try open(place)
        try FolderWay.refuseOthers(folder, place.folder)
        if let present = try RegularFile.open(place.settings, in: folder, place.path) {
            if try isSame(text, present, place.path) { return nil }
            if present.status.isReadOnly {
                throw DefaultsError(
                    .readOnly, path: place.path,
                    underlyingDescription: "its owner has made the file read-only (chmod u+w)")
            }
        }
        let likeness = try Likeness(of: place.settings, in: folder, place.path)
        // A unique name, because several processes may write the file at once without knowing of each other.
        let next = ".\(place.settings).\(UInt64.random(in: .min ... .max))"
        do {
            let refusal = try make(next, text, likeness, in: folder)
            try SystemCalls.rename(next, to: place.settings, in: folder)
            return refusal.map { .unlike(place.path, $0) }
        } catch {
            discard(next, in: folder)
            throw .writing(place.path, error)
        }
    }

    private static func open(_ place: SuiteLocation) throws(DefaultsError) -> Descriptor {
        if let folder = try SuiteDirectory.open(place, creating: false) { return folder }
        if let folder = try SuiteDirectory.open(place, creating: true) { return folder }
        throw DefaultsError(.io, path: place.folder)
    }

    private static func isSame(
        _ text: [UInt8], _ present: borrowing RegularFile.Opened, _ path: String
    ) throws(DefaultsError) -> Bool {
        guard present.status.identity.size == text.count else { return false }
        do { return try SystemCalls.read(present.file, count: text.count + 1, at: 0) == text } catch {
            throw .reading(path, error)
        }
    }

    private static func make(
        _ name: String, _ text: [UInt8], _ likeness: borrowing Likeness, in folder: borrowing Descriptor
    ) throws(SystemError) -> SystemError? {
        let file = try SystemCalls.open(name, in: folder, .createNew)
        let refusal = try likeness.give(to: file)
        try SystemCalls.write(text, to: file, at: 0)
        // Otherwise power loss could leave the name with nothing behind it.
        try SystemCalls.synchronize(file)
        return refusal
    }

    private static func discard(_ name: String, in folder: borrowing Descriptor) {
        // The first failure is the one to report; this one leaves a file that nobody reads.
        do { try SystemCalls.remove(name, in: folder) } catch { return }
    }
}
