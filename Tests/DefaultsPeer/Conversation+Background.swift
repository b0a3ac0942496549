import Libc
import TypedDefaults

/// What handlers do on the library's threads, and what they find there.
extension Conversation {
    /// Obeys a command about the library's threads; nil where it is none.
    mutating func background(_ command: Command) throws -> String? {
        switch command.verb {
        case "follow": try follow(command.word(0), inSuiteOf: command.word(1))
        case "followfolder":
            followings.append(suite.follow(FilesDefaultValueSource(folder: try command.word(0))))
        case "followkept":
            followings.append(
                suite.follow(JSONDefaultValueSource(path: try command.word(0)), keepingLastKnown: true))
        case "explained":
            return suite.explain(forKey: try command.word(0)).first?.description ?? "none"
        case "forkandend": return try forkAndEnd()
        case "block": try block(command.number(0), command.number(1))
        case "beginblocked": try beginBlocked()
        case "crashwhen": try crash(when: command.word(0))
        case "maskwhen": try tellMasks(when: command.word(0))
        case "stackwhen": try useStack(when: command.word(0), bytes: command.number(1))
        default: return nil
        }
        return "ok"
    }

    /// Follows a file in another suite.
    private mutating func follow(_ path: String, inSuiteOf folder: String) throws {
        let other = try DefaultsSuite("following", in: folder)
        other.onFailure = { _ in }
        followings.append(other.follow(JSONDefaultValueSource(path: path)))
    }

    /// Forks; the child ends at once.
    private func forkAndEnd() throws -> String {
        let child = try forkProcess()
        if child == 0 { _exit(0) }
        return "\(statusOfChild(child))"
    }

    /// Has two signals blocked on the thread that obeys, and no others; 0 is none.
    private func block(_ one: Int, _ other: Int) {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [one, other] where number > 0 { sigaddset(&signals, Int32(number)) }
        pthread_sigmask(SIG_SETMASK, &signals, nil)
    }

    /// Has the library begin to listen on a thread that has blocked everything, as a pool's threads have.
    private mutating func beginBlocked() throws {
        let (suite, begun) = (suite, Mailbox<DefaultsObservation>())
        try startThread {
            var all = sigset_t()
            sigfillset(&all)
            pthread_sigmask(SIG_SETMASK, &all, nil)
            begun.append(suite.observe(forKey: "begun", options: []) { _ in })
        }
        observations += begun.take(1) ?? []
    }

    private mutating func observe(_ key: String, _ body: @escaping @Sendable () -> Void) {
        observations.append(suite.observe(forKey: key, options: []) { _ in body() })
    }

    /// Ends with 42 by a handler of the program's own when an observer's handler touches memory that is not there.
    private mutating func crash(when key: String) {
        signal(SIGSEGV) { _ in _exit(42) }
        observe(key) { UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1 }
    }

    /// Tells which signals an observer's handler has blocked, and a program that it starts.
    private mutating func tellMasks(when key: String) {
        let events = events
        observe(key) {
            events.append(.string(Conversation.blocked(in: "/proc/thread-self/status")))
            events.append(.string(Conversation.blockedInChild()))
        }
    }

    private static func blocked(in path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        return blocked(in: file)
    }

    private static func blocked(in file: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 8_192)
        var count = 0
        while true {
            let got = bytes.withUnsafeMutableBytes { room in
                read(file, room.baseAddress.map { $0 + count }, room.count - count)
            }
            guard got > 0 else { break }
            count += got
        }
        let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
        return lines.first { $0.hasPrefix("SigBlk:") }.map { String($0.dropFirst(8)) } ?? "unknown"
    }

    private static func blockedInChild() -> String {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return "no pipe" }
        var arguments = [strdup("cat"), strdup("/proc/self/status"), nil]
        var actions = noFileActions
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        var process: pid_t = 0
        let refusal = posix_spawn(&process, "/bin/cat", &actions, nil, &arguments, environmentVariables)
        posix_spawn_file_actions_destroy(&actions)
        arguments.forEach { free($0) }
        close(ends[1])
        defer { close(ends[0]) }
        guard refusal == 0 else { return "no child" }
        let blocked = blocked(in: ends[0])
        _ = statusOfChild(process)
        return blocked
    }

    /// Calls itself until so many bytes of stack are in use.
    private mutating func useStack(when key: String, bytes: Int) {
        let events = events
        observe(key) { events.append(.number(DefaultsNumber(Conversation.depth(of: bytes)))) }
    }

    @inline(never)
    private static func depth(of bytes: Int) -> Int {
        // Inside the frame, and not known to be unused.
        let frame = 512
        return withUnsafeTemporaryAllocation(byteCount: frame, alignment: 16) { room in
            room[0] = UInt8(truncatingIfNeeded: bytes)
            let rest = bytes > frame ? depth(of: bytes - frame) : 0
            return rest + (room[0] == UInt8(truncatingIfNeeded: bytes) ? 1 : 0)
        }
    }
}
