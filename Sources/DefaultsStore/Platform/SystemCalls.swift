// The one door to libc: no file outside of this folder imports it, sees `errno` or a C constant.
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    // Preconcurrency, because musl's list of variables is a plain global, which is only read here.
    @preconcurrency import Musl
#elseif canImport(Darwin)
    import Darwin
#else
    #error("TypedDefaults needs a C library it knows")
#endif
#if canImport(MachO)
    import MachO
#endif
#if !_pointerBitWidth(_64)
    // Lengths of files, times and hashes are kept in `Int`.
    #error("TypedDefaults needs a system of 64 bits; an Apple Watch has one from Series 9 on")
#endif

/// The system calls that the store is built on: Swift names, typed errors, interruptions retried in one place.
///
/// Every call first asks ``FaultInjection``, so that a test can make the k-th one fail.
package enum SystemCalls {
    /// Makes a call that returns -1 on failure, again after each interruption.
    ///
    /// `errno` is read in the statement after the call, before anything can change it.
    @inline(__always)
    static func check<Result: FixedWidthInteger & SignedInteger>(
        _ call: String, _ body: () -> Result
    ) throws(SystemError) -> Result {
        while true {
            if FaultInjection.isInUse, try isInterruptedByPlan(call) { continue }
            let result = body()
            if result >= 0 { return result }
            try passInterruption(of: call)
        }
    }

    @inline(never)
    private static func isInterruptedByPlan(_ call: String) throws(SystemError) -> Bool {
        guard let planned = FaultInjection.strike(call) else { return false }
        if planned == EINTR { return true }
        throw SystemError(call: call, errno: planned)
    }

    /// Throws what the call before has failed with, unless it was interrupted.
    @inline(never)
    private static func passInterruption(of call: String) throws(SystemError) {
        let code = lastError
        if code != EINTR { throw SystemError(call: call, errno: code) }
    }

    /// `errno`.
    @inline(__always)
    static var lastError: Int32 {
        #if canImport(Glibc)
            // What its getter calls, which is in a library of its own.
            __errno_location().pointee
        #else
            errno
        #endif
    }

    static func message(forError code: Int32) -> String {
        guard let text = strerror(code) else { return "error \(code)" }
        return String(cString: text)
    }

    /// The process's id; for a program that has a suite open, because a forked child has another one.
    ///
    /// Kept because every write records it twice.
    package static let processID: Int32 = getpid()

    /// The effective user of the process.
    static var userID: UInt32 { geteuid() }

    /// Distinct from that of every other living thread.
    package static var threadID: UInt {
        #if canImport(Glibc)
            UInt(truncatingIfNeeded: pthread_self())
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }

    static func yield() { sched_yield() }

    /// A longer wait than this, in nanoseconds, for the processor after a yield is one for many others.
    private static let longYield: UInt64 = 2_000_000
    /// For how long nobody yields after that.
    private static let crowdedTime: UInt64 = 1_000_000_000
    private static let crowdedUntil = Atomic<UInt64>(0)

    /// Lets other threads of this processor run first, if there are any, unless there have been many of late: a thread
    /// that yields goes behind all of them, each time, while one that sleeps goes before them when it wakes.
    ///
    /// - Returns: false if the caller had better sleep.
    static func tryYield() -> Bool {
        let begin = monotonicNanoseconds
        guard begin >= crowdedUntil.load(ordering: .relaxed) else { return false }
        yield()
        let end = monotonicNanoseconds
        if end - begin > longYield { crowdedUntil.store(end + crowdedTime, ordering: .relaxed) }
        return true
    }

    /// Nanoseconds on a clock that nobody can set.
    ///
    /// It is one for all processes of the machine, and stops while the machine sleeps.
    package static var monotonicNanoseconds: UInt64 {
        #if canImport(Darwin)
            // Darwin's `CLOCK_MONOTONIC` is in microseconds, and goes on in sleep.
            UInt64(bitPattern: nanoseconds(on: CLOCK_UPTIME_RAW))
        #else
            UInt64(bitPattern: nanoseconds(on: CLOCK_MONOTONIC))
        #endif
    }

    /// How long the threads of this process have run in all, in nanoseconds.
    static var processorNanoseconds: UInt64 {
        UInt64(bitPattern: nanoseconds(on: CLOCK_PROCESS_CPUTIME_ID))
    }

    /// Nanoseconds since 1970 on the clock of files.
    ///
    /// As long as nobody sets that clock, whatever is changed from now on, on a local file system, gets this time or
    /// a later one, cut to what the file system keeps.
    static var wallNanoseconds: Int64 {
        #if os(Linux)
            // Files get the time of the kernel's last tick, and the finer clock is ahead of that.
            nanoseconds(on: CLOCK_REALTIME_COARSE)
        #else
            nanoseconds(on: CLOCK_REALTIME)
        #endif
    }

    @inline(never)
    private static func nanoseconds(on clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// An interruption ends the pause early.
    static func pause(nanoseconds: UInt64) {
        var time = timespec(nanoseconds: nanoseconds)
        nanosleep(&time, nil)
    }

    /// Returns the absolute path in an environment variable; nil if the variable is not set or has none.
    ///
    /// - Throws: `EILSEQ` if it is not UTF-8, because a repaired path would lead elsewhere.
    static func path(inEnvironment name: String) throws(SystemError) -> String? {
        guard let value = try text(inEnvironment: name) else { return nil }
        return isAbsolute(value) ? value : nil
    }

    /// Whether whoever has started the program has fewer rights than it, as of a set-user-ID program: then no variable
    /// says where its files are, or what its settings are.
    static var isPrivileged: Bool {
        #if os(Linux)
            LinuxCalls.isPrivileged
        #else
            issetugid() != 0
        #endif
    }

    /// Returns the text of an environment variable; nil if the variable is not set, or not to be trusted.
    ///
    /// - Throws: `EILSEQ` if it is not UTF-8.
    static func text(inEnvironment name: String) throws(SystemError) -> String? {
        guard !isPrivileged, let text = name.withCString({ getenv($0) }) else { return nil }
        guard let value = String(validatingCString: text) else {
            throw SystemError(call: "getenv", errno: EILSEQ)
        }
        return value
    }

    /// The home folder in the user database, for programs started without `HOME`.
    static var homeOfUser: String? { text(ofUser: geteuid()) { $0.pw_dir } }

    /// Nil if the user database has none.
    static func name(ofUser user: UInt32) -> String? { text(ofUser: uid_t(user)) { $0.pw_name } }

    /// Whether nobody but root and the process's user is in a group: root's own, and the one that many systems make for
    /// each user, of the same name.
    static func isOwn(group: UInt32) -> Bool {
        if group == 0 { return true }
        guard let user = name(ofUser: userID) else { return false }
        return user.withCString { user in
            var size = 1_024
            while size <= 1 << 20 {
                let room = UnsafeMutablePointer<CChar>.allocate(capacity: size)
                defer { room.deallocate() }
                var entry = GroupEntry()
                var found: UnsafeMutablePointer<GroupEntry>?
                let code = getgrgid_r(group, &entry, room, size, &found)
                if code == ERANGE { size *= 2 }
                if code == ERANGE || code == EINTR { continue }
                guard let known = found?.pointee, let name = known.gr_name, strcmp(name, user) == 0,
                    var member = known.gr_mem
                else { return false }
                while let text = member.pointee {
                    if strcmp(text, user) != 0 { return false }
                    member += 1
                }
                return true
            }
            return false
        }
    }

    private static func text(
        ofUser user: uid_t, _ field: (passwd) -> UnsafeMutablePointer<CChar>?
    ) -> String? {
        // Not `getpwuid`, in whose one entry for all threads somebody may be looking up another user.
        var size = 1_024
        while size <= 1 << 20 {
            let room = UnsafeMutablePointer<CChar>.allocate(capacity: size)
            defer { room.deallocate() }
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            let code = getpwuid_r(user, &entry, room, size, &found)
            if code == ERANGE { size *= 2 }
            if code == ERANGE || code == EINTR { continue }
            // The text is in the room.
            return found.flatMap { field($0.pointee) }.flatMap { String(validatingCString: $0) }
        }
        return nil
    }

    /// The number that a user is shown with who has none in this process's user namespace.
    ///
    /// It is 65534 unless an administrator has changed it, which nobody does.
    static let overflowUser: UInt32 = 65_534

    /// Whether a number is some user's in this process's user namespace; in the system's own, every one is.
    static func isMapped(user: UInt32) -> Bool {
        let text: [UInt8]
        do { text = try readToEnd(openFile("/proc/self/uid_map"), from: 0) } catch { return true }
        // Each line: the first number in here, the one that it is outside, and how many follow each other.
        return text.split(separator: UInt8(ascii: "\n")).contains { line in
            let words = line.split(separator: UInt8(ascii: " "))
            let numbers = words.map { UInt64(String(decoding: $0, as: UTF8.self)) }
            guard numbers.count == 3, let first = numbers[0], let count = numbers[2] else { return false }
            return first <= user && UInt64(user) - first < count
        }
    }

    /// Verifies that a relative path leads anywhere.
    ///
    /// - Throws: why not: the working directory is gone, or its path is not UTF-8.
    static func checkWorkingFolder(for path: String) throws(SystemError) {
        if isAbsolute(path) { return }
        guard let folder = getcwd(nil, 0) else { throw SystemError(call: "getcwd", errno: lastError) }
        defer { free(folder) }
        if String(validatingCString: folder) == nil { throw SystemError(call: "getcwd", errno: EILSEQ) }
    }

    static func isAbsolute(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }

    /// Resolved against the working directory.
    static func absolute(_ path: String) -> String {
        if isAbsolute(path) { return path }
        guard let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// Has a function called when the program ends by `exit` or by returning from `main`.
    ///
    /// If the system has no room for it, it is not called.
    static func atExit(_ body: @escaping @convention(c) () -> Void) { _ = atexit(body) }

    /// The path of the running program, with links resolved if the system tells.
    package static var executablePath: String {
        #if os(Linux)
            do {
                let path = try linkTarget("/proc/self/exe")
                // What the kernel adds once another file has been put in the program's place, as an update does.
                let mark = " (deleted)"
                return path.hasSuffix(mark) ? String(path.dropLast(mark.count)) : path
            } catch {
                // Without /proc there is only the name that the program was called by.
                return absolute(CommandLine.arguments.first ?? "")
            }
        #else
            #if canImport(MachO)
                var size: UInt32 = 4_096
                var room = [CChar](repeating: 0, count: Int(size))
                if _NSGetExecutablePath(&room, &size) == 0, let path = realpath(room, nil) {
                    defer { free(path) }
                    return String(cString: path)
                }
            #endif
            return absolute(CommandLine.arguments.first ?? "")
        #endif
    }

    /// Has functions called around every later fork: on the forking thread, before the fork and after it in both
    /// processes.
    ///
    /// If the system has no room for them, they are not called.
    static func atFork(
        before: @escaping @convention(c) () -> Void, inParent: @escaping @convention(c) () -> Void,
        inChild: @escaping @convention(c) () -> Void
    ) {
        _ = pthread_atfork(before, inParent, inChild)
    }

    /// Writes one line to standard error, for a failure that nobody listens for.
    ///
    /// A failure here cannot be reported anywhere, so it is ignored.
    package static func writeToStandardError(_ line: String) {
        var text = line + "\n"
        withoutBrokenPipeSignal {
            text.withUTF8 { bytes in _ = put(STDERR_FILENO, bytes.baseAddress, bytes.count) }
        }
    }

    #if canImport(Darwin)
        /// Makes a write to a pipe without a reader fail instead of ending the program.
        ///
        /// The signal goes to the process, any thread of which may take it. So the open file is set not to cause one,
        /// and set back, because standard output may be the same one.
        private static func withoutBrokenPipeSignal(_ body: () -> Void) {
            reporting.withLock { _ in
                let wasSilent = fcntl(STDERR_FILENO, F_GETNOSIGPIPE)
                if wasSilent == 0 { _ = fcntl(STDERR_FILENO, F_SETNOSIGPIPE, 1) }
                body()
                if wasSilent == 0 { _ = fcntl(STDERR_FILENO, F_SETNOSIGPIPE, 0) }
            }
        }

        private static let reporting = Locked(())  // A leaf: nothing is taken or called under it.
    #else
        /// Makes a write to a pipe without a reader fail instead of ending the program.
        ///
        /// The signal goes to the writing thread, so it is blocked there, and removed if it was not pending before.
        private static func withoutBrokenPipeSignal(_ body: () -> Void) {
            var (signal, before, waiting) = (sigset_t(), sigset_t(), sigset_t())
            sigemptyset(&signal)
            sigaddset(&signal, SIGPIPE)
            sigpending(&waiting)
            let wasWaiting = sigismember(&waiting, SIGPIPE) == 1
            guard !wasWaiting, pthread_sigmask(SIG_BLOCK, &signal, &before) == 0 else { return body() }
            body()
            sigpending(&waiting)
            if sigismember(&waiting, SIGPIPE) == 1 {
                var taken: Int32 = 0
                sigwait(&signal, &taken)
            }
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
    #endif
}

/// The C type, whose name is taken by parameters.
private typealias GroupEntry = group

/// The C function, whose name is taken by the wrapper inside the type.
private func put(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(file, bytes, count) }

/// What is true of the process.
extension SystemCalls {
    /// The size up to which the process may extend a file: beyond it, the kernel kills the process.
    static var mostBytesOfFile: Int {
        var limit = rlimit()
        #if canImport(Glibc)
            let kind = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #else
            let kind = RLIMIT_FSIZE
        #endif
        guard getrlimit(kind, &limit) == 0 else { return 0 }
        return Int(clamping: limit.rlim_cur)
    }
}

/// The whole environment of the process.
extension SystemCalls {
    /// All variables as they are now, none of which whoever has started a privileged program chooses; an entry without a
    /// `=` is left out.
    ///
    /// As with `getenv`, no other thread may change the environment meanwhile.
    static var environment: [String: String] {
        #if canImport(Darwin)
            let list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = _NSGetEnviron().pointee
        #else
            let list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
        #endif
        guard !isPrivileged, var entry = list else { return [:] }
        var variables: [String: String] = [:]
        while let text = entry.pointee {
            let whole = String(cString: text)
            // By its byte: together with a combining mark after it, the sign is another character to Swift.
            if let sign = whole.utf8.firstIndex(of: UInt8(ascii: "=")) {
                variables[String(whole[..<sign])] = String(whole[whole.utf8.index(after: sign)...])
            }
            entry += 1
        }
        return variables
    }
}
