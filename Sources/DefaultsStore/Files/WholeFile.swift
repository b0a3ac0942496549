/// A file that no lock is taken for, since every version of it is whole: it is put in place in one step.
enum WholeFile {
    /// Opens the folder of a file that is about to be put there, and creates what is missing of it.
    static func openFolder(of place: SuiteLocation) throws(DefaultsError) -> Descriptor {
        let folder = try open(place)
        try SafePath.refuseOthers(folder, place.folder)
        return folder
    }

    /// Opens the folder of such a file; nil if there is none.
    ///
    /// F20: another machine may have replaced the file, so the file system is asked at each look.
    static func openExistingFolder(of place: SuiteLocation) throws(DefaultsError) -> Descriptor? {
        try open(place, creating: false)
    }

    private static func open(_ place: SuiteLocation) throws(DefaultsError) -> Descriptor {
        if let folder = try open(place, creating: false) { return folder }
        if let folder = try open(place, creating: true) { return folder }
        throw DefaultsError(.ioFailure, path: place.folder)
    }

    private static func open(_ place: SuiteLocation, creating: Bool) throws(DefaultsError) -> Descriptor? {
        guard let folder = try SuiteDirectory.open(place, creating: creating) else { return nil }
        let isLocal = SystemCalls.fileSystem(of: folder).isLocal
        return folder.remote(!isLocal)
    }

    /// Replaces a file, or a link in its place, by one with this text, durable before it gets its name.
    ///
    /// - Throws: `.readOnly`, `.diskFull`, `.ioFailure`. What was there still is then.
    /// - Returns: the refusal, if it could not be made like the other one.
    static func put(
        _ text: [UInt8], like attributes: borrowing FileAttributes, at place: SuiteLocation,
        in folder: borrowing Descriptor
    ) throws(DefaultsError) -> SystemError? {
        // A unique name, because several processes may write the file at once without knowing of each other.
        let next = ".\(place.settings).\(UInt64.random(in: .min ... .max))"
        do {
            let refusal = try make(next, text, attributes, in: folder)
            try SystemCalls.rename(next, to: place.settings, in: folder)
            return refusal
        } catch {
            discard(next, in: folder)
            throw .writing(place.path, error)
        }
    }

    private static func make(
        _ name: String, _ text: [UInt8], _ attributes: borrowing FileAttributes,
        in folder: borrowing Descriptor
    ) throws(SystemError) -> SystemError? {
        let file = try SystemCalls.open(name, in: folder, .createNew)
        let refusal = try attributes.give(to: file)
        try SystemCalls.write(text, to: file, at: 0)
        // Otherwise power loss could leave the name with nothing behind it.
        try SystemCalls.synchronize(file)
        return refusal
    }

    private static func discard(_ name: String, in folder: borrowing Descriptor) {
        // The first failure is the one to report; this one leaves a file that nobody reads.
        do { try SystemCalls.remove(name, in: folder) } catch { return }
    }

    /// Removes what killed processes have left of their writes to some files.
    ///
    /// Only what is older than a minute: another process may be about to give a younger one its name.
    ///
    /// - Parameter isOurs: whether files of a name are written in this way.
    static func removeLeftovers(in folder: borrowing Descriptor, of isOurs: (String) -> Bool) {
        do {
            for left in try SystemCalls.names(in: folder) where target(ofLeftover: left).map(isOurs) == true {
                let age =
                    SystemCalls.wallNanoseconds
                    &- (try SystemCalls.status(left, in: folder)).identity.modified
                if age > 60_000_000_000 { try SystemCalls.remove(left, in: folder) }
            }
        } catch {
            // They harm nobody, and the next write tries again.
            return
        }
    }

    /// Returns which file a name was to become; nil for another file, such as an editor's `.settings.json.swp`.
    private static func target(ofLeftover name: String) -> String? {
        guard name.hasPrefix("."), let dot = name.lastIndex(of: "."), dot > name.startIndex else {
            return nil
        }
        let number = name[dot...].dropFirst()
        guard !number.isEmpty, number.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return nil
        }
        return String(name[..<dot].dropFirst())
    }
}
