#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Other programs, and the one that has started this one.
extension System {
    /// Refuses arguments that are not UTF-8: the parser gets them with their bytes replaced, so that another key, value or
    /// path would be meant.
    ///
    /// - Throws: `.usage`.
    static func checkArguments() throws {
        for place in 0..<Int(CommandLine.argc) {
            guard let argument = CommandLine.unsafeArgv[place] else { return }
            if String(validatingCString: argument) == nil {
                throw Failure(
                    .usage,
                    "argument \(place) is not UTF-8: \"\(SafeText.escaped(String(cString: argument)))\"")
            }
        }
    }

    /// Runs a command line of the shell on a file, on this terminal, and waits for its end.
    ///
    /// - Throws: where it could not be started, or ended otherwise than by success.
    static func run(_ command: String, on path: String) throws {
        let words = ["sh", "-c", command + " \"$1\"", "sh", path]
        var arguments = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        // What a person interrupts is the editor; this program has to stay for what was edited.
        let interruption = signal(SIGINT, SIG_IGN)
        defer { signal(SIGINT, interruption) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var heard = sigset_t()
        sigemptyset(&heard)
        sigaddset(&heard, SIGINT)
        posix_spawnattr_setsigdefault(&attributes, &heard)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var process = pid_t()
        let code = posix_spawn(&process, "/bin/sh", nil, &attributes, &arguments, environ)
        guard code == 0 else { throw refusal("/bin/sh could not be started", code) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw refusal("the editor was lost", errno) }
        }
        // What WIFEXITED and WEXITSTATUS say: the low byte is the signal, the next one the status.
        guard status == 0 else {
            let how =
                status & 0x7F == 0
                ? "ended with status \(status >> 8 & 0xFF)" : "was ended by signal \(status & 0x7F)"
            throw Failure(.otherProgram, "the editor (\(command)) \(how), so nothing was changed")
        }
    }
}
