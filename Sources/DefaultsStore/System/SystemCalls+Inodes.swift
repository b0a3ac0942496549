#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Checks of files that leave their times alone.
extension SystemCalls {
    /// Returns what the system knows of a name in a folder apart from the times; of the link itself if it is one.
    static func inode(_ name: String, in folder: borrowing Descriptor) throws(SystemError) -> Inode {
        try refresh(name, in: folder)
        #if os(Linux)
            let raw = folder.raw
            if let inode = try look("fstatat", raw, name, .name).inode { return inode }
        #endif
        return try status(name, in: folder).inode
    }

    /// Returns what the system knows of a path apart from the times, without following a link in its last component.
    static func inode(path: String) throws(SystemError) -> Inode {
        #if os(Linux)
            if let inode = try look("lstat", AT_FDCWD, path, .name).inode { return inode }
        #endif
        return try status(path: path).inode
    }

    /// Returns what the system knows of an open file apart from the times.
    static func inode(of file: borrowing Descriptor) throws(SystemError) -> Inode {
        try refresh(file)
        #if os(Linux)
            let raw = file.raw
            if let inode = try look("fstat", raw, "", .descriptor).inode { return inode }
        #endif
        return try status(of: file).inode
    }

    /// Returns the folder that a path leads to, and when a name in it, or the folder itself, was changed last; nil if
    /// that is not available.
    static func changes(ofFolder path: String) throws(SystemError) -> (folder: Inode, changed: Int64)? {
        #if os(Linux)
            let look = try look("stat", AT_FDCWD, path, .changesBehindLinks)
            if let inode = look.inode, let changed = look.changed { return (inode, changed) }
        #endif
        return nil
    }

    #if os(Linux)
        /// Calls `statx`.
        ///
        /// - Parameter call: the call that this one stands in for, by whose name a failure is reported.
        /// - Returns: nil if the call is not available: an old kernel or C library, or a sandbox that knows only the
        ///   old calls and forbids the rest.
        private static func look(
            _ call: String, _ folder: Int32, _ name: String, _ mode: LinuxCalls.StatMode
        ) throws(SystemError) -> LinuxCalls.Look {
            var look = LinuxCalls.Look()
            do {
                _ = try check(call) { name.withCString { LinuxCalls.look(folder, $0, mode, &look) } }
            } catch {
                if error.errno == ENOSYS || error.errno == EPERM { return look }
                throw error
            }
            return look
        }
    #endif
}
