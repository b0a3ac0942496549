#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Looks that leave a file's times alone.
extension SystemCalls {
    /// What the system knows of a name in a folder but for its times; of the link itself where it is one.
    static func entry(_ name: String, in folder: borrowing Descriptor) throws(SystemError) -> FileEntry {
        #if os(Linux)
            let raw = folder.raw
            if let entry = try entry("fstatat", raw, name) { return entry }
        #endif
        return try status(name, in: folder).entry
    }

    /// What the system knows of a path but for its times, without following a link in its last step.
    static func entry(path: String) throws(SystemError) -> FileEntry {
        #if os(Linux)
            if let entry = try entry("lstat", AT_FDCWD, path) { return entry }
        #endif
        return try status(path: path).entry
    }

    #if os(Linux)
        /// - Parameter call: what the call stands in for, by whose name its failure is told.
        /// - Returns: nil where the call is not to be had: an old kernel or C library, or a sandbox that knows only the old
        ///   ones and forbids the rest.
        private static func entry(
            _ call: String, _ folder: Int32, _ name: String
        ) throws(SystemError) -> FileEntry? {
            var entry: FileEntry?
            do {
                _ = try check(call) { name.withCString { LinuxCalls.look(folder, $0, &entry) } }
            } catch {
                if error.errno == ENOSYS || error.errno == EPERM { return nil }
                throw error
            }
            return entry
        }
    #endif
}
