import Dispatch
import Libc
import TypedDefaults

/// What a process may do to itself that makes writing or reading harder.
extension Conversation {
    /// Obeys a command about the process's own rights; nil where it is none.
    func place(_ command: Command) throws -> String? {
        switch command.verb {
        case "become": try become(uid_t(try command.number(0)))
        case "limit":
            signal(SIGXFSZ, SIG_IGN)
            try limitFiles(to: try command.number(0))
        case "hardlimit":
            unblockSignals()
            try limitFiles(to: try command.number(0))
        case "hoard": try hoard()
        case "unhoard": for number in hoarded.all { close(number) }
        case "closeerrors": close(STDERR_FILENO)
        case "deaferrors":
            unblockSignals()
            try printToNobody()
        case "shout": _ = "shouted\n".withCString { write(STDERR_FILENO, $0, strlen($0)) }
        case "workin": guard chdir(try command.word(0)) == 0 else { throw Refused(errno: errno) }
        #if DEBUG
            case "leaveout": try Failpoint.leaveOut(command.words(from: 0).map(safeguard))
        #endif
        case "listen": try suite.context.startWatching()
        case "burden":
            let watches = try names(in: "/proc/self/fd").count { isNotifier($0) }
            return "\(try names(in: "/proc/self/task").count) threads, \(watches) notifiers"
        case "loaded": return "\(try !suite.context.store().latest.isUnread)"
        case "explain": return try explain()
        default: return nil
        }
        return "ok"
    }

    #if DEBUG
        private func safeguard(_ name: String) throws -> Failpoint {
            guard let found = Failpoint.allCases.first(where: { "\($0)" == name }) else {
                throw Misunderstood(line: name)
            }
            return found
        }
    #endif

    /// A call of this process was refused.
    private struct Refused: Error {
        let errno: Int32
    }

    /// Has standard error lead into a pipe whose reader has gone.
    private func printToNobody() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0, dup2(ends[1], STDERR_FILENO) >= 0 else { throw Refused(errno: errno) }
        for end in ends { close(end) }
    }

    private func become(_ user: uid_t) throws {
        guard setgroups(0, nil) == 0, setregid(user, user) == 0, setreuid(user, user) == 0 else {
            throw Refused(errno: errno)
        }
    }

    /// Limits what this process may put into a file; a negative number takes the limit away.
    private func limitFiles(to bytes: Int) throws {
        var limit = rlimit()
        guard getrlimit(limitOfFileSize, &limit) == 0 else { throw Refused(errno: errno) }
        limit.rlim_cur = bytes < 0 ? limit.rlim_max : rlim_t(bytes)
        guard setrlimit(limitOfFileSize, &limit) == 0 else { throw Refused(errno: errno) }
    }

    /// Opens so many files that one descriptor is left.
    private func hoard() throws {
        // Swift's runtime needs some of its own, and ends the process without.
        let fired = Mailbox<Void>()
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { fired.append(()) }
        _ = fired.take(1)
        var limit = rlimit()
        guard getrlimit(limitOfOpenFiles, &limit) == 0 else { throw Refused(errno: errno) }
        limit.rlim_cur = 128
        guard setrlimit(limitOfOpenFiles, &limit) == 0 else { throw Refused(errno: errno) }
        var last = open("/dev/null", O_RDONLY)
        while true {
            let next = open("/dev/null", O_RDONLY)
            guard next >= 0 else { break }
            hoarded.append(last)
            last = next
        }
        close(last)
    }

    /// Lets every signal through, whatever the tests' thread that started this process had blocked.
    func unblockSignals() {
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
    }

    private func names(in folder: String) throws -> [String] {
        guard let stream = opendir(folder) else { throw Refused(errno: errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    /// Whether a descriptor is one that the kernel tells of changes through.
    private func isNotifier(_ descriptor: String) -> Bool {
        var target = [CChar](repeating: 0, count: 64)
        guard readlink("/proc/self/fd/" + descriptor, &target, 63) > 0 else { return false }
        return strstr(target, "inotify") != nil
    }

    /// The code and the path of what the suite cannot be read for.
    private func explain() throws -> String {
        do throws(DefaultsError) {
            _ = try suite.storedValues()
            return "none"
        } catch {
            return "\(error.code) \(error.path ?? "nowhere")"
        }
    }
}
