#if os(Linux)
    import CTypedDefaults
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Calls on files: relative to a folder's descriptor, never following a link in the last path component.
extension SystemCalls {
    /// How a file is opened.
    enum OpenMode {
        case read, readWrite, createNew, createOrOpen, directory

        fileprivate var flags: Int32 {
            let always = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
            return switch self {
            case .read: always | O_RDONLY
            case .readWrite: always | O_RDWR
            case .createNew: always | O_RDWR | O_CREAT | O_EXCL
            case .createOrOpen: always | O_RDWR | O_CREAT
            case .directory: always | O_RDONLY | O_DIRECTORY
            }
        }
    }

    /// Opens a file, for as long as its file system takes, and takes charge of it.
    ///
    /// - Parameters:
    ///   - call: the name of the call that opens it.
    ///   - isLocked: whether a lock may be taken on it, which a copy in a child would keep held after this process's
    ///     death. If this process forks in the middle, the file is given up, and opened again.
    @inline(never)
    private static func owned(
        _ call: String, isLocked: Bool = false, _ body: () -> Int32
    ) throws(SystemError) -> Descriptor {
        while true {
            if Fork.isRefused { throw SystemError(call: call, errno: EBADF) }
            let forks = Fork.countBegun
            let file = try Descriptor(taking: try check(call, body)).aboveStandardStreams()
            // A child that was forked in between does not know of the file.
            if !isLocked || forks == Fork.countBegun { return file }
        }
    }

    /// Opens a name in a folder; a symbolic link there is refused (`ELOOP`).
    static func open(_ name: String, in folder: borrowing Descriptor, _ mode: OpenMode) throws(SystemError)
        -> Descriptor
    {
        let (raw, isRemote) = (folder.raw, folder.isRemote)
        // A new file is none that the system could remember.
        if mode != .createNew, mode != .directory { try refresh(name, in: folder) }
        return try owned("openat", isLocked: mode == .createOrOpen) {
            // A native Swift string has its zero after it, and is lent without being copied; the same below.
            name.withCString { openat(raw, $0, mode.flags, 0o600) }
        }.remote(isRemote)
    }

    /// Opens a name only to identify the file and to keep it: this takes no permission, and opens a link itself.
    static func hold(_ name: String, in folder: borrowing Descriptor) throws(SystemError) -> Descriptor {
        #if os(Linux)
            return try held(name, in: folder.raw, O_NOFOLLOW)
        #else
            return try open(name, in: folder, .read)
        #endif
    }

    /// Opens `/` only to go on from there.
    static func holdRoot() throws(SystemError) -> Descriptor {
        #if os(Linux)
            return try held("/", in: AT_FDCWD, O_DIRECTORY)
        #elseif canImport(Darwin)
            return try searched("/", in: AT_FDCWD)
        #else
            return try openDirectory("/")
        #endif
    }

    /// Opens a folder in another one only to go on from there: this takes no permission to read it.
    ///
    /// A link there is refused (`ENOTDIR`). With `O_DIRECTORY`, which has an automount happen.
    static func holdFolder(_ name: String, in folder: borrowing Descriptor) throws(SystemError) -> Descriptor
    {
        #if os(Linux)
            return try held(name, in: folder.raw, O_NOFOLLOW | O_DIRECTORY)
        #elseif canImport(Darwin)
            return try searched(name, in: folder.raw)
        #else
            return try open(name, in: folder, .directory)
        #endif
    }

    #if os(Linux)
        private static func held(
            _ name: String, in folder: Int32, _ flags: Int32
        ) throws(SystemError) -> Descriptor {
            try owned("openat(O_PATH)") {
                // `O_PATH`, which the headers hide from Swift.
                name.withCString { openat(folder, $0, O_CLOEXEC | flags | 0o10_000_000) }
            }
        }
    #endif

    #if canImport(Darwin)
        /// Opens a folder only to look up names in it; no link is followed, also not before the last name.
        private static func searched(_ name: String, in folder: Int32) throws(SystemError) -> Descriptor {
            try owned("openat(O_SEARCH)") {
                name.withCString { openat(folder, $0, O_CLOEXEC | O_SEARCH | O_NOFOLLOW_ANY) }
            }
        }
    #endif

    /// Returns the status of a link, and where it leads; nil for what is none.
    ///
    /// Both are of one link, whatever becomes of the name, except where a link cannot be opened.
    static func link(
        _ name: String, in folder: borrowing Descriptor
    ) throws(SystemError) -> (status: FileStatus, target: String)? {
        #if os(Linux)
            let link = try hold(name, in: folder)
            let status = try SystemCalls.status(of: link)
            let (raw, place) = (link.raw, "")
        #else
            let status = try SystemCalls.status(name, in: folder)
            let (raw, place) = (folder.raw, name)
        #endif
        guard status.isSymbolicLink else { return nil }
        return (status, try target { readlinkat(raw, place, $0, $1) })
    }

    /// Creates a folder in another one for its owner alone, whatever the umask; one that is already there is left as
    /// it is.
    static func makeDirectory(_ name: String, in folder: borrowing Descriptor) throws(SystemError) {
        let raw = folder.raw
        do {
            _ = try check("mkdir") { mkdirat(raw, name, 0o700) }
        } catch {
            if error.errno == EEXIST { return }
            throw error
        }
        let made = try holdFolder(name, in: folder)
        if try status(of: made).permissions == 0o700 { return }
        // Through its descriptor, because the name may be another's by now.
        let number = made.raw
        #if os(Linux)
            _ = try check("chmod") { chmod("/proc/self/fd/\(number)", 0o700) }
        #else
            _ = try check("chmod") { fchmod(number, 0o700) }
        #endif
    }

    /// Opens a new file without a name, which disappears with its descriptor unless it is given one.
    ///
    /// - Throws: also if the file system, or the system, has no such files; see ``SystemError/hasNoUnnamedFiles``.
    static func openUnnamed(in folder: borrowing Descriptor) throws(SystemError) -> Descriptor {
        #if os(Linux)
            let folder = folder.raw
            // `O_TMPFILE`, which the headers hide from Swift.
            return try owned("openat(O_TMPFILE)") {
                openat(folder, ".", O_CLOEXEC | O_RDWR | O_DIRECTORY | 0o20_000_000, 0o600)
            }
        #else
            throw SystemError(call: "openat(O_TMPFILE)", errno: EOPNOTSUPP)
        #endif
    }

    /// Gives an open file without a name its first one; fails (`EEXIST`) if the name is taken.
    ///
    /// - Throws: also, as missing, if the system does not show processes their open files.
    static func give(
        _ name: String, to file: borrowing Descriptor, in folder: borrowing Descriptor
    ) throws(SystemError) {
        #if os(Linux)
            let (file, folder) = (file.raw, folder.raw)
            _ = try check("linkat") {
                linkat(AT_FDCWD, "/proc/self/fd/\(file)", folder, name, AT_SYMLINK_FOLLOW)
            }
        #else
            throw SystemError(call: "linkat", errno: EOPNOTSUPP)
        #endif
    }

    /// Has reads leave a file's access time as it is, if the system lets its owner request that.
    ///
    /// It is refused to those who do not own the file, and who can read it all the same.
    static func keepAccessTime(_ file: borrowing Descriptor) {
        #if os(Linux)
            // `O_NOATIME`, which the headers hide from Swift; of the other flags only this one can change and was
            // set.
            _ = fcntl(file.raw, F_SETFL, O_NONBLOCK | 0o1_000_000)
        #endif
    }

    /// Opens a folder by its path; links in the path are followed, but none as the last component.
    static func openDirectory(_ path: String) throws(SystemError) -> Descriptor {
        try open(path, OpenMode.directory.flags)
    }

    /// Links are followed.
    static func openFile(_ path: String) throws(SystemError) -> Descriptor {
        try open(path, OpenMode.read.flags & ~O_NOFOLLOW)
    }

    private static func open(_ path: String, _ flags: Int32) throws(SystemError) -> Descriptor {
        try owned("open") { path.withCString { openat(AT_FDCWD, $0, flags, 0) } }
    }

    static func status(of file: borrowing Descriptor) throws(SystemError) -> FileStatus {
        try refresh(file)
        let raw = file.raw
        var result = stat()
        _ = try check("fstat") { fstat(raw, &result) }
        return FileStatus(result)
    }

    /// Of the link itself if the name is one.
    static func status(_ name: String, in folder: borrowing Descriptor) throws(SystemError) -> FileStatus {
        try refresh(name, in: folder)
        let raw = folder.raw
        var result = stat()
        _ = try check("fstatat") { name.withCString { fstatat(raw, $0, &result, AT_SYMLINK_NOFOLLOW) } }
        return FileStatus(result)
    }

    /// Follows no link in the last component.
    static func status(path: String) throws(SystemError) -> FileStatus {
        var result = stat()
        _ = try check("lstat") { path.withCString { lstat($0, &result) } }
        return FileStatus(result)
    }

    /// Follows links.
    static func statusBehindLinks(path: String) throws(SystemError) -> FileStatus {
        var result = stat()
        _ = try check("stat") { path.withCString { stat($0, &result) } }
        return FileStatus(result)
    }

    /// Follows links; nil if there is no such file.
    static func statusBehindLinks(orMissing path: String) throws(SystemError) -> FileStatus? {
        try SystemError.nilIfMissing(statusBehindLinks(path: path))
    }

    /// Whatever the umask.
    static func setMode(_ mode: UInt32, of file: borrowing Descriptor) throws(SystemError) {
        let raw = file.raw
        _ = try check("fchmod") { fchmod(raw, mode_t(mode)) }
    }

    static func linkTarget(_ path: String) throws(SystemError) -> String {
        try target { readlink(path, $0, $1) }
    }

    private static func target(
        _ read: (UnsafeMutablePointer<CChar>, Int) -> Int
    ) throws(SystemError) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = try check("readlink") { read(&buffer, buffer.count) }
        let bytes = buffer.prefix(count).map { UInt8(bitPattern: $0) }
        // Repaired, the text would lead to another file.
        guard let target = String(validating: bytes, as: UTF8.self) else {
            throw SystemError(call: "readlink", errno: EILSEQ)
        }
        return target
    }

    /// In one atomic step.
    static func rename(_ old: String, to new: String, in folder: borrowing Descriptor) throws(SystemError) {
        let raw = folder.raw
        _ = try check("renameat") { renameat(raw, old, raw, new) }
    }

    /// Swaps what two names of a folder stand for, in one atomic step.
    ///
    /// - Throws: also if the file system cannot do it; see ``SystemError/isUnsupported``.
    static func exchange(_ one: String, with other: String, in folder: borrowing Descriptor)
        throws(SystemError)
    {
        let raw = folder.raw
        #if os(Linux)
            _ = try check("renameat2") { typed_defaults_exchange(raw, one, other) }
        #else
            _ = try check("renameat2") { renameatx_np(raw, one, raw, other, UInt32(RENAME_SWAP)) }
        #endif
    }

    static func link(_ old: String, as new: String, in folder: borrowing Descriptor) throws(SystemError) {
        try refresh(old, in: folder)
        let raw = folder.raw
        _ = try check("linkat") { linkat(raw, old, raw, new, 0) }
    }

    /// Not an error if there is no such name.
    static func remove(_ name: String, in folder: borrowing Descriptor) throws(SystemError) {
        try refresh(name, in: folder)
        let raw = folder.raw
        do { _ = try check("unlinkat") { unlinkat(raw, name, 0) } } catch {
            if error.errno != ENOENT { throw error }
        }
    }
}

/// Checks of files that leave their times alone.
extension SystemCalls {
    /// Without the times; of the link itself if the name is one.
    static func inode(_ name: String, in folder: borrowing Descriptor) throws(SystemError) -> Inode {
        try refresh(name, in: folder)
        #if os(Linux)
            let raw = folder.raw
            if let inode = try readExtendedStatus("fstatat", raw, name, .name).inode { return inode }
        #endif
        return try status(name, in: folder).inode
    }

    /// Without the times; follows no link in the last component.
    static func inode(path: String) throws(SystemError) -> Inode {
        #if os(Linux)
            if let inode = try readExtendedStatus("lstat", AT_FDCWD, path, .name).inode { return inode }
        #endif
        return try status(path: path).inode
    }

    static func inode(of file: borrowing Descriptor) throws(SystemError) -> Inode {
        try refresh(file)
        #if os(Linux)
            let raw = file.raw
            if let inode = try readExtendedStatus("fstat", raw, "", .descriptor).inode { return inode }
        #endif
        return try status(of: file).inode
    }

    #if os(Linux)
        /// Calls `statx`.
        ///
        /// - Parameter call: the call that this one stands in for, by whose name a failure is reported.
        /// - Returns: nil if the call is not available: an old kernel or C library, or a sandbox that knows only the
        ///   old calls and forbids the rest.
        private static func readExtendedStatus(
            _ call: String, _ folder: Int32, _ name: String, _ mode: LinuxCalls.StatMode
        ) throws(SystemError) -> LinuxCalls.ExtendedStatus {
            var found = LinuxCalls.ExtendedStatus()
            do {
                _ = try check(call) {
                    name.withCString { LinuxCalls.readExtendedStatus(folder, $0, mode, &found) }
                }
            } catch {
                if error.errno == ENOSYS || error.errno == EPERM { return found }
                throw error
            }
            return found
        }
    #endif
}

/// What a file has beside its bytes and its mode, and who may read it depends on.
extension SystemCalls {
    /// Gives a new file another one's group, access control list, security label and users' attributes; the mode is
    /// the caller's to set.
    ///
    /// An access control list that the new file has from its folder goes, if the other one has none.
    static func copyAttributes(
        of file: borrowing Descriptor, _ status: FileStatus, to target: borrowing Descriptor
    ) throws(SystemError) {
        let (from, to) = (file.raw, target.raw)
        if try SystemCalls.status(of: target).group != status.group {
            _ = try check("fchown") { fchown(to, uid_t.max, gid_t(status.group)) }
        }
        #if os(Linux)
            let wanted = try attributes(of: from)
            for (name, value) in wanted where try attribute(name, of: to) != value {
                _ = try check("fsetxattr") { fsetxattr(to, name, value, value.count, 0) }
            }
            if !wanted.contains(where: { $0.name == accessList }), try attribute(accessList, of: to) != nil {
                _ = try check("fremovexattr") { fremovexattr(to, accessList) }
            }
        #elseif canImport(Darwin)
            _ = try check("fcopyfile") {
                fcopyfile(from, to, nil, copyfile_flags_t(COPYFILE_ACL | COPYFILE_XATTR))
            }
            try copyProtectionClass(of: from, to: to)
        #endif
    }

    #if canImport(Darwin)
        /// Gives a file another one's class of data protection, which is none of its attributes.
        ///
        /// A file system without such classes knows neither call.
        private static func copyProtectionClass(of file: Int32, to target: Int32) throws(SystemError) {
            let wanted = fcntl(file, F_GETPROTECTIONCLASS)
            guard wanted > 0, fcntl(target, F_GETPROTECTIONCLASS) != wanted else { return }
            do { _ = try check("fcntl") { fcntl(target, F_SETPROTECTIONCLASS, wanted) } } catch {
                guard error.isUnsupported else { throw error }
            }
        }
    #endif

    #if os(Linux)
        private static let accessList = "system.posix_acl_access"

        /// Returns the attributes that a file that takes this one's place has to have.
        private static func attributes(of file: Int32) throws(SystemError) -> [(name: String, value: [UInt8])]
        {
            var found: [(name: String, value: [UInt8])] = []
            guard let names = try bytes("flistxattr", { flistxattr(file, $0, $1) }) else { return [] }
            for name in names.split(separator: 0).map({ String(decoding: $0, as: UTF8.self) })
            where isCarried(name) {
                if let value = try attribute(name, of: file) { found.append((name, value)) }
            }
            return found
        }

        private static func isCarried(_ name: String) -> Bool {
            name == accessList || name == "security.selinux" || name.hasPrefix("security.SMACK64")
                || name.hasPrefix("user.")
        }

        /// Nil if the file has none of that name.
        private static func attribute(_ name: String, of file: Int32) throws(SystemError) -> [UInt8]? {
            try bytes("fgetxattr") { fgetxattr(file, name, $0, $1) }
        }

        /// Returns what a call puts into a buffer, however large that has to be; nil if there is no such thing.
        private static func bytes(
            _ call: String, _ body: (UnsafeMutablePointer<CChar>?, Int) -> Int
        ) throws(SystemError) -> [UInt8]? {
            var buffer: [CChar] = []
            while true {
                do throws(SystemError) {
                    let size = try check(call) { body(nil, 0) }
                    buffer = [CChar](repeating: 0, count: size)
                    let count = size == 0 ? 0 : try check(call) { body(&buffer, size) }
                    return buffer.prefix(count).map { UInt8(bitPattern: $0) }
                } catch {
                    // It has grown in between.
                    if error.errno == ERANGE { continue }
                    if error.errno == ENODATA || error.errno == EOPNOTSUPP || error.errno == ENOSYS {
                        return nil
                    }
                    throw error
                }
            }
        }
    #endif
}
