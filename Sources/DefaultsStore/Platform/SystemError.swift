#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A system call that failed, with its error number.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the call, as in its manual page: `"fsync"`.
    public let call: String
    /// The value of `errno` right after the call.
    public let errno: Int32

    /// Creates the record of one failed call.
    public init(call: String, errno: Int32) {
        self.call = call
        self.errno = errno
    }

    /// The call and the system's own words for the number: `"fsync: Input/output error (5)"`.
    public var description: String {
        "\(call): \(SystemCalls.message(forError: errno)) (\(errno))"
    }
}

/// The few kinds of failure that the store distinguishes.
extension SystemError {
    package var isMissing: Bool { errno == ENOENT }

    /// Nil if nothing has that name.
    @inline(__always)
    static func nilIfMissing<Result: ~Copyable>(
        _ call: @autoclosure () throws(SystemError) -> Result
    ) throws(SystemError) -> Result? {
        do { return try call() } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// A name or path is not UTF-8.
    var isNoText: Bool { errno == EILSEQ }

    /// The disk, the quota or the size limit of files has been reached.
    var isFull: Bool { errno == ENOSPC || errno == EDQUOT || errno == EFBIG }
    static var tooLarge: Int32 { EFBIG }

    /// The process may not do this here.
    var isForbidden: Bool { errno == EACCES || errno == EPERM || errno == EROFS }

    /// The process or the system has none left of what was asked for, and may have some later.
    var isShortage: Bool { [EMFILE, ENFILE, ENOMEM, ENOSPC, EAGAIN].contains(errno) }

    /// The file is no longer where it was opened, or looked up, on another machine.
    var isStale: Bool { errno == ESTALE }

    var isLink: Bool { errno == ELOOP }
    var isFolder: Bool { errno == EISDIR }
    static var folder: Int32 { EISDIR }
    /// Something is there that is not what it should be: a link, or a file where a folder should be.
    var isUnsafePlace: Bool { isLink || errno == ENOTDIR || errno == EISDIR || errno == ENXIO }
}

extension SystemError {
    /// The system or the file system does not know this operation.
    ///
    /// On Apple's systems `ENOTSUP` is a number of its own, with which they refuse most of what a file system lacks.
    var isUnsupported: Bool {
        errno == ENOSYS || errno == EINVAL || errno == EOPNOTSUPP || errno == ENOTSUP
    }

    /// The file system of the file, or the file, cannot have a disk's own cache written.
    var hasNoFullSynchronization: Bool { isUnsupported || errno == ENOTTY }

    /// There are no unnamed files here: an old kernel takes the call for one that opens the folder.
    var hasNoUnnamedFiles: Bool { isUnsupported || errno == EISDIR }

    var isTaken: Bool { errno == EEXIST }

    /// The error of a call that needs a file which is not there.
    static func missing(for call: String) -> SystemError { SystemError(call: call, errno: ENOENT) }
}

/// The kernel's notifications about files.
extension SystemError {
    /// What to do where the system has none to give; nil where there are none at all.
    var suggestionForWatching: String? {
        switch errno {
        case ENOSYS: nil
        case EMFILE:
            "Raise fs.inotify.max_user_instances by sysctl, or the process's limit of open files (ulimit -n)."
        case ENOSPC: "Raise fs.inotify.max_user_watches by sysctl."
        case ENFILE: "Raise fs.file-max by sysctl."
        default: "Look at the named call and path."
        }
    }
}
