#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Which signals a thread has blocked.
final class SignalMask: Sendable {
    private let signals: sigset_t

    private init(_ signals: sigset_t) { self.signals = signals }

    /// Everything but what a thread brings upon itself, such as an access to memory that is not there: blocked, that
    /// would end the program without its own handler, which may write a report.
    static var ofLibrary: SignalMask {
        var signals = sigset_t()
        sigfillset(&signals)
        for own in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS] { sigdelset(&signals, own) }
        return SignalMask(signals)
    }

    /// What the program's main thread has blocked now; if that is not to be learnt, what the calling thread has.
    ///
    /// The main thread's, because a program decides there which signals its threads may take, and because the thread
    /// that uses the library first may belong to a pool that blocks all of them.
    static var ofProgram: SignalMask {
        #if os(Linux)
            if let blocked = blockedInMainThread {
                var signals = sigset_t()
                sigemptyset(&signals)
                for number in 1...Int32(64) where blocked >> UInt64(number - 1) & 1 == 1 {
                    sigaddset(&signals, number)
                }
                return SignalMask(signals)
            }
        #endif
        var signals = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &signals)
        return SignalMask(signals)
    }

    /// Runs a body on a thread that has these blocked meanwhile, and no others.
    func during<Result>(_ body: () throws -> Result) rethrows -> Result {
        var (signals, before) = (signals, sigset_t())
        pthread_sigmask(SIG_SETMASK, &signals, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return try body()
    }

    #if os(Linux)
        private static var blockedInMainThread: UInt64? {
            let file = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return nil }
            defer { close(file) }
            return withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { room in
                guard let start = room.baseAddress else { return nil }
                let text = start.assumingMemoryBound(to: CChar.self)
                let count = read(file, start, room.count - 1)
                guard count > 0 else { return nil }
                // Within the room, which has one byte more than was read.
                text[count] = 0
                guard let line = strstr(text, "SigBlk:") else { return nil }
                return UInt64(strtoull(line + 7, nil, 16))
            }
        }
    #endif
}
