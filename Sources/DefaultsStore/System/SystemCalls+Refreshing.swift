#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// F20: how the system is made to ask a file system that is not local, and to tell it what was written.
///
/// Of network and user-space file systems the kernel remembers, often for seconds, which file a name stands for, how
/// long a file is and when it was changed, and what is in it. Meanwhile others may have changed all of it. So wherever a
/// ``Descriptor`` is marked as one of these, every look goes to the file system itself, and every write has arrived
/// there when its call returns. The rest of the store need not know.
///
/// - **Names.** Nothing can be given a name that is taken, and for that no memory is good enough: the kernel has to
///   ask (its `LOOKUP_EXCL`). So it is told to give the name to the folder itself, which is always refused, since no
///   folder has a second name; what it has found out meanwhile is what the next call goes by.
/// - **Lengths and times.** `statx` with `AT_STATX_FORCE_SYNC`.
/// - **Bytes.** Network file systems promise *close-to-open*: who opens a file finds what was written by those who
///   have closed it. So a file that stays open is opened once more before it is read, and a copy of the descriptor is
///   closed after it was written to.
///
/// What the file system itself remembers, as a user-space one may, nobody can make it forget.
extension SystemCalls {
    /// Has the system ask what a name in a folder stands for, and what that is like now.
    ///
    /// - Throws: `ESTALE` if it goes on with a file that no longer has the name, as a kernel before 5.15 does for some
    ///   time: what is there is not known then.
    static func refresh(_ name: String, in folder: borrowing Descriptor) throws(SystemError) {
        guard folder.isRemote else { return }
        let raw = folder.raw
        for _ in 0..<patience {
            if Faults.strike("linkat(.)") == nil { _ = name.withCString { linkat(raw, ".", raw, $0, 0) } }
            guard try links(raw, name, .name) == 0 else { return }
            pause(nanoseconds: 50_000_000)
        }
        throw SystemError(call: "statx", errno: ESTALE)
    }

    /// How often a name is looked up until it stands for a file that has a name: for two seconds.
    private static let patience = 40

    /// Has the system ask how long an open file is and what is in it.
    static func refresh(_ file: borrowing Descriptor) throws(SystemError) {
        guard file.isRemote else { return }
        if file.staysOpen { try openAgain(file) }
        _ = try links(file.raw, "", .descriptor)
    }

    /// How many names a file has, according to the file system; nil if it does not say, or there is no such file.
    private static func links(
        _ place: Int32, _ name: String, _ mode: LinuxCalls.StatMode
    ) throws(SystemError) -> Int? {
        #if os(Linux)
            var look = LinuxCalls.Look()
            do {
                _ = try check("statx") {
                    name.withCString { LinuxCalls.look(place, $0, mode, &look, asks: true) }
                }
            } catch {
                // What is missing, the call that follows says. A sandbox may know only older calls.
                guard error.isMissing || error.errno == ENOSYS || error.errno == EPERM else { throw error }
            }
            return look.inode?.linkCount
        #else
            return nil
        #endif
    }

    private static func openAgain(_ file: borrowing Descriptor) throws(SystemError) {
        #if os(Linux)
            do { _ = try openFile("/proc/self/fd/\(file.raw)") } catch {
                // The file is gone, which reading it tells.
                if error.isStale { return }
                // Not the file is missing, but the folder of processes.
                throw error.isMissing ? SystemError(call: "open(/proc)", errno: EOPNOTSUPP) : error
            }
        #endif
    }

    /// Hands what was written to a file over to the file system.
    static func handOver(_ file: borrowing Descriptor) throws(SystemError) {
        guard file.isRemote else { return }
        let raw = file.raw
        let copy = try Fork.holdingOff { () throws(SystemError) in
            Descriptor(taking: try check("fcntl") { fcntl(raw, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) })
        }
        let refusal = copy.closed()
        let code = Faults.strike("close") ?? refusal
        if code != 0 { throw SystemError(call: "close", errno: code) }
    }
}
