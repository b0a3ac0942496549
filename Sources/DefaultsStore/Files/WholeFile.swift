/// A file that no lock is taken for, since every version of it is whole: it is put in place in one step.
enum WholeFile {
    /// Opens the folder of a file that is about to be put there, and creates what is missing of it.
    static func openFolder(of place: SuiteLocation) throws(DefaultsError) -> Descriptor {
        let folder = try open(place)
        try SafePath.refuseOthers(folder, place.folder)
        return folder
    }

    private static func open(_ place: SuiteLocation) throws(DefaultsError) -> Descriptor {
        if let folder = try SuiteDirectory.open(place, creating: false) { return folder }
        if let folder = try SuiteDirectory.open(place, creating: true) { return folder }
        throw DefaultsError(.ioFailure, path: place.folder)
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

    /// Removes what killed processes have left of their writes to a file.
    ///
    /// Only what is older than a minute: another process may be about to give a younger one its name.
    static func removeLeftovers(of name: String = "", in folder: borrowing Descriptor) {
        do {
            for left in try SystemCalls.names(in: folder)
            where left.hasPrefix(name.isEmpty ? "." : ".\(name).") {
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
}
