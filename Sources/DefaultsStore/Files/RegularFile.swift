/// F10: the rule for every file of a suite: a regular file that belongs to the user or to root.
enum RegularFile {
    /// Refuses links, folders, pipes, devices and other users' files.
    ///
    /// - Parameters:
    ///   - isWrittenInPlace: whether the file itself is written; then a file that has a second name elsewhere is refused
    ///     too, because what is written would show there.
    ///   - ofAnybody: whether it may belong to anybody.
    @inline(never)
    static func check(
        _ inode: Inode, _ path: String, isWrittenInPlace: Bool = false, ofAnybody: Bool = false
    ) throws(DefaultsError) {
        guard let reason = objection(to: inode, isWrittenInPlace, ofAnybody) else { return }
        throw DefaultsError(.insecureDirectory, path: path, underlyingDescription: reason)
    }

    /// What is reported about a file that must not be written in place, but can be read like any other.
    static let secondName = "it has a second name elsewhere"

    private static func objection(
        to inode: Inode, _ isWrittenInPlace: Bool, _ ofAnybody: Bool
    ) -> String? {
        if !inode.isRegular { return "it is not a regular file" }
        if !ofAnybody, !SuiteDirectory.isTrusted(owner: inode.owner) {
            return "it " + SuiteDirectory.belongs(to: inode.owner)
        }
        return isWrittenInPlace && inode.linkCount > 1 ? secondName : nil
    }

    /// A file that was found and may be used.
    struct Opened: ~Copyable {
        let file: Descriptor
        let status: FileStatus
    }

    /// Reads a file that others may be writing: all of it, and again if it was changed in the meantime, at most ten
    /// times.
    ///
    /// - Parameters:
    ///   - before: what was known of the file before it is read.
    ///   - limit: the most bytes that it may have.
    ///   - check: checks each version before it is read.
    static func readWhole(
        _ file: borrowing Descriptor, _ before: FileStatus, _ path: String, limit: Int = SettingsFile.limit,
        check: (FileStatus) throws(DefaultsError) -> Void = { _ in }
    ) throws(DefaultsError) -> (bytes: [UInt8], status: FileStatus) {
        var before = before
        for _ in 0..<10 {
            try check(before)
            guard before.identity.size <= limit else {
                throw DefaultsError(
                    .valueTooLarge, path: path, underlyingDescription: "it is larger than \(limit) bytes")
            }
            let bytes = try DefaultsError.reading(
                path, SystemCalls.read(file, count: before.identity.size + 1, at: 0))
            let after = try DefaultsError.reading(path, SystemCalls.status(of: file))
            if after.identity == before.identity, bytes.count == after.identity.size { return (bytes, after) }
            before = after
        }
        throw DefaultsError(
            .ioFailure, path: path, underlyingDescription: "it keeps changing while it is read")
    }

    /// Opens a name for reading, or also for writing in place; nil if there is no such name.
    @inline(never)
    static func open(
        _ name: String, in folder: borrowing Descriptor, _ path: String, _ mode: SystemCalls.OpenMode = .read,
        ofAnybody: Bool = false
    ) throws(DefaultsError) -> Opened? {
        let opened: Opened
        do {
            let file = try SystemCalls.open(name, in: folder, mode)
            let status = try SystemCalls.status(of: file)
            opened = Opened(file: file, status: status)
        } catch {
            if error.isMissing { return nil }
            throw .reading(path, error)
        }
        try check(opened.status.inode, path, ofAnybody: ofAnybody)
        return opened
    }
}
