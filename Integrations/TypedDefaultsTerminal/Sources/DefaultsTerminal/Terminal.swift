import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#else
    #error("DefaultsTerminal needs a C library it knows")
#endif

/// The one door to the terminal of the process, which has one screen at a time.
///
/// It is as it was before as soon as the screen is over, however that comes about: a signal that ends, stops or crashes the
/// program, `exit`, an error.
final class Terminal {
    /// What a wait has come to.
    enum Wake: Equatable {
        case input([UInt8])
        case resized
        /// The program was stopped, and goes on.
        case resumed
        case interrupted
        /// A signal that ends programs.
        case ended(Int32)
        /// ``poke()`` was called.
        case poked
    }

    private static let input: Int32 = STDIN_FILENO
    fileprivate static let output: Int32 = STDOUT_FILENO

    /// Takes the terminal.
    ///
    /// - Throws: `.noTerminal`, `.alreadyRunning`, `.terminalLost`.
    init() throws(DefaultsTerminal.Failure) {
        guard isatty(Terminal.input) == 1, isatty(Terminal.output) == 1 else {
            throw DefaultsTerminal.Failure(.noTerminal, "standard input and output have to be a terminal")
        }
        guard let kind = Terminal.variable("TERM"), kind != "dumb" else {
            throw DefaultsTerminal.Failure(
                .noTerminal, "TERM says that the cursor of this terminal cannot be moved")
        }
        guard Shared.isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
        else {
            throw DefaultsTerminal.Failure(.alreadyRunning, "a screen is shown already")
        }
        guard Shared.wake.load(ordering: .relaxed) >= 0, tcgetattr(Terminal.input, Shared.modes) == 0 else {
            Shared.isTaken.store(false, ordering: .releasing)
            throw DefaultsTerminal.Failure(.terminalLost, "the terminal does not tell its modes")
        }
        _ = Terminal.drain(Shared.end)
        _ = Shared.isRestoredAtExit
        for signal in Shared.noted { Terminal.handle(signal, Shared.note) }
        for signal in Shared.crashes { Terminal.handle(signal, Shared.crash) }
        enter()
    }

    /// An environment variable; nil where it is not set or empty.
    static func variable(_ name: String) -> String? {
        guard let text = getenv(name) else { return nil }
        let value = String(cString: text)
        return value.isEmpty ? nil : value
    }

    private static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
        sigaction(number, nil, Shared.actions + Int(number))
        signal(number, handler)
    }

    /// Takes the terminal, again after somebody else had it: whole keys without an echo, another page, no cursor, no line that
    /// goes on in the next one, and what is pasted between marks.
    private func enter() {
        var modes = Shared.modes.pointee
        cfmakeraw(&modes)
        // Control-C and control-Z stay signals, for the programs of a pipeline and the shell are to have them, too.
        modes.c_lflag |= tcflag_t(ISIG)
        Shared.isShown.store(true, ordering: .relaxed)
        tcsetattr(Terminal.input, TCSANOW, &modes)
        let start: StaticString = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h\u{1B}[2J"
        _ = put(Terminal.output, start.utf8Start, start.utf8CodeUnitCount)
    }

    /// Gives the terminal back.
    func leave() {
        Shared.restore()
        for signal in Shared.noted + Shared.crashes { sigaction(signal, Shared.actions + Int(signal), nil) }
        Shared.isTaken.store(false, ordering: .releasing)
    }

    /// The size of the window; 80 columns and 24 rows where it does not tell.
    var size: Screen.Size {
        var size = winsize()
        guard ioctl(Terminal.output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return Screen.Size(columns: 80, rows: 24)
        }
        return Screen.Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Writes all bytes.
    ///
    /// - Throws: `.terminalLost`.
    func write(_ bytes: [UInt8]) throws(DefaultsTerminal.Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { put(Terminal.output, $0.baseAddress, $0.count) }
            let code = errno
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if code == EAGAIN {
                var ready = pollfd(fd: Terminal.output, events: Int16(POLLOUT), revents: 0)
                poll(&ready, 1, -1)
            } else if code != EINTR {
                throw DefaultsTerminal.Failure(.terminalLost, "the terminal takes no more output")
            }
        }
    }

    /// Waits until something happens; nothing runs meanwhile.
    ///
    /// - Parameter milliseconds: how long at most; -1 for ever.
    /// - Returns: what has happened, nothing when the time is over.
    /// - Throws: `.terminalLost` where the terminal is gone.
    func wait(milliseconds: Int32) throws(DefaultsTerminal.Failure) -> [Wake] {
        var files = [
            pollfd(fd: Terminal.input, events: Int16(POLLIN), revents: 0),
            pollfd(fd: Shared.end, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&files, 2, milliseconds) >= 0 || errno == EINTR else {
            throw DefaultsTerminal.Failure(.terminalLost, "the terminal cannot be waited for")
        }
        var wakes: [Wake] = []
        // The reasons first: where the terminal is gone, there is a signal that says so.
        if files[1].revents != 0 {
            for number in Terminal.drain(Shared.end).map(Int32.init) {
                switch number {
                case 0: wakes.append(.poked)
                case SIGWINCH: wakes.append(.resized)
                case SIGINT: wakes.append(.interrupted)
                case SIGCONT:
                    enter()
                    wakes.append(.resumed)
                case SIGTSTP:
                    stop()
                    wakes.append(.resumed)
                default: return wakes + [.ended(number)]
                }
            }
        }
        if files[0].revents != 0 {
            let (bytes, code) = Terminal.piece(of: Terminal.input)
            if bytes.isEmpty, code != EAGAIN {
                throw DefaultsTerminal.Failure(.terminalLost, "the terminal is gone")
            }
            wakes.append(.input(bytes))
        }
        return wakes
    }

    /// Stops the program as control-Z does, and takes the terminal again when it goes on.
    private func stop() {
        Shared.restore()
        sigaction(SIGTSTP, Shared.actions + Int(SIGTSTP), nil)
        Terminal.pass(on: SIGTSTP)
        signal(SIGTSTP, Shared.note)
        enter()
    }

    /// Does to the program what a signal does by itself, before this returns.
    ///
    /// Sent to this thread: another one may be a moment late, and this one would go on meanwhile.
    static func pass(on number: Int32) {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
    }

    /// Ends a wait; from any thread.
    static func poke() { Shared.note(0) }

    private static func drain(_ file: Int32) -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let bytes = piece(of: file).bytes
            if bytes.isEmpty { return all }
            all += bytes
        }
    }

    /// Reads what there is; nothing at the end, and where the system has refused.
    private static func piece(of file: Int32) -> (bytes: [UInt8], code: Int32) {
        var piece = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(file, &piece, piece.count)
            let code = count < 0 ? errno : 0
            if code != EINTR { return (Array(piece.prefix(max(0, count))), code) }
        }
    }
}

/// What signal handlers need: it is made before they are installed, and stays.
private enum Shared {
    /// Signals that the screen hears of.
    static let noted = [SIGWINCH, SIGINT, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGQUIT]
    /// Signals of a program that crashes.
    static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE]

    static let isTaken = Atomic<Bool>(false)
    /// Whether the terminal has other modes than before.
    static let isShown = Atomic<Bool>(false)
    // Unsafe to the compiler alone, because it is written before a handler is installed, and by one thread.
    nonisolated(unsafe) static let modes = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    // The same holds, because each element is written before its signal's handler is installed.
    nonisolated(unsafe) static let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)

    /// Both ends of a pipe that is never closed, because a handler may be about to write; -1 where there is none.
    private static let ends: (Int32, Int32) = {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return (-1, -1) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        return (ends[0], ends[1])
    }()
    static var end: Int32 { ends.0 }
    static let wake = Atomic<Int32>(ends.1)

    /// Wakes the screen, which then looks what has happened.
    static let note: @convention(c) (Int32) -> Void = { signal in
        let code = errno
        var byte = UInt8(truncatingIfNeeded: signal)
        _ = put(wake.load(ordering: .relaxed), &byte, 1)
        errno = code
    }

    /// Gives the terminal back, and lets the program crash as it would have.
    static let crash: @convention(c) (Int32) -> Void = { signal in
        restore()
        sigaction(signal, actions + Int(signal), nil)
        raise(signal)
    }

    static let isRestoredAtExit: Bool = atexit { Shared.restore() } == 0

    /// Gives the terminal back as it was; with calls alone that a signal handler may make.
    static func restore() {
        guard isShown.exchange(false, ordering: .relaxed) else { return }
        let end: StaticString = "\u{1B}[0m\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
        _ = put(Terminal.output, end.utf8Start, end.utf8CodeUnitCount)
        tcsetattr(STDIN_FILENO, TCSANOW, modes)
    }
}

/// The C function, whose name the method takes inside the type.
private func put(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(file, bytes, count) }
