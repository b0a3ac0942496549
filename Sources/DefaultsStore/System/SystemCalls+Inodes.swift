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
    static func inode(_ name: String, in folder: borrowing Descriptor) throws(SystemError) -> Inode {
        #if os(Linux)
            let raw = folder.raw
            if let inode = try look("fstatat", raw, name, .name).inode { return inode }
        #endif
        return try status(name, in: folder).inode
    }

    /// What the system knows of a path but for its times, without following a link in its last step.
    static func inode(path: String) throws(SystemError) -> Inode {
        #if os(Linux)
            if let inode = try look("lstat", AT_FDCWD, path, .name).inode { return inode }
        #endif
        return try status(path: path).inode
    }

    /// What the system knows of an open file but for its times.
    static func inode(of file: borrowing Descriptor) throws(SystemError) -> Inode {
        #if os(Linux)
            let raw = file.raw
            if let inode = try look("fstat", raw, "", .descriptor).inode { return inode }
        #endif
        return try status(of: file).inode
    }

    /// The folder that a path leads to, and when a name in it, or it itself, was changed last; nil where that is not to be had.
    static func changes(ofFolder path: String) throws(SystemError) -> (folder: Inode, changed: Int64)? {
        #if os(Linux)
            let look = try look("stat", AT_FDCWD, path, .changesBehindLinks)
            if let inode = look.inode, let changed = look.changed { return (inode, changed) }
        #endif
        return nil
    }

    #if os(Linux)
        /// - Parameter call: what the call stands in for, by whose name its failure is told.
        /// - Returns: nothing where the call is not to be had: an old kernel or C library, or a sandbox that knows only the
        ///   old ones and forbids the rest.
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
