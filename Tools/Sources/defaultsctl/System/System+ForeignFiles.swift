#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Files that no person has named, but another file: whoever wrote that may have named anything.
extension System {
    /// The bytes of such a file, links followed; nil where there is none.
    ///
    /// - Throws: also for a pipe, a device or a folder, which is never waited for, and for a file that is too large.
    static func contents(ofForeign path: String) throws -> [UInt8]? {
        guard !path.utf8.contains(0) else { throw Failure(.unusableInput, "\(path) is no path") }
        // Looked at before it is opened too, because opening a device can do something.
        guard let present = try status(path) else { return nil }
        try check(present, path)
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw refusal("\(path) could not be opened", errno)
        }
        defer { close(file) }
        try check(try status(of: file, path), path)
        // What a file is said to have is no limit: it may grow while it is read.
        return try readToEnd(file, path, limit: greatestFile)
    }

    private static func check(_ status: Status, _ path: String) throws {
        guard status.isFile else { throw Failure(.unusableInput, "\(path) is no regular file") }
    }
}
