import Libc
import TypedDefaults
import TypedDefaultsCompatibility

/// Children of this process, which are refused if a suite was open.
extension Conversation {
    /// Obeys a command about forks; nil where it is none.
    ///
    /// The child answers `child` at the socket of the name it is given, and the parent the child's process id.
    func forking(_ command: Command) throws -> String? {
        switch command.verb {
        case "fork": return try fork(to: try command.word(0))
        case "forkbeside": return try forkBeside(to: try command.word(0))
        case "forkinside": return try forkInside(try command.word(0), to: try command.word(1))
        case "forkexec": return try forkAndExecute(to: try command.word(0))
        case "spawn": return try spawn(to: try command.word(0))
        case "daemonise": return try daemonise(to: try command.word(0))
        case "forkatraise": try forkAtRaise(of: try command.word(0), to: try command.word(1))
        case "child": return childs.take(1).map { "\($0[0])" } ?? "none"
        case "reap": return "\(statusOfChild(Int32(try command.number(0))))"
        case "descriptors": return try descriptors(in: try command.word(0))
        case "forks": return try ForkStorm(suite).run(try command.number(0))
        case "forksincrowd": return try forksInCrowd(try command.number(0), try command.number(1))
        default: return nil
        }
        return "ok"
    }

    private func fork(to name: String) throws -> String {
        let child = try forkProcess()
        guard child == 0 else { return "\(child)" }
        try converse(at: name)
        return "child"
    }

    /// Forks on another thread than the one that obeys.
    private func forkBeside(to name: String) throws -> String {
        let (suite, childs) = (suite, childs)
        try startThread { Conversation.forkAndGoOn(suite, childs, name) }
        return childs.take(1).map { "\($0[0])" } ?? "none"
    }

    /// Forks on another thread as soon as somebody has begun a commit.
    private func forkAtRaise(of lockFile: String, to name: String) throws {
        let (suite, childs) = (suite, childs)
        let file = open(lockFile, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw ForkRefused(call: "open", errno: errno) }
        let before = Conversation.generation(file)
        try startThread {
            while Conversation.generation(file) == before { sched_yield() }
            Conversation.forkAndGoOn(suite, childs, name)
        }
    }

    private static func generation(_ file: Int32) -> UInt64 {
        var number: UInt64 = 0
        _ = pread(file, &number, 8, 0)
        return number
    }

    private static func forkAndGoOn(_ suite: DefaultsSuite, _ childs: Mailbox<Int32>, _ name: String) {
        do {
            let child = try forkProcess()
            guard child == 0 else { return childs.append(child) }
            try converse(at: name)
            var conversation = Conversation()
            conversation.suite = suite
            answer("child")
            conversation.run()
            exit(0)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Forks in the middle of adding 1 to a value; the child answers with what became of its copy.
    private func forkInside(_ way: String, to name: String) throws -> String {
        let key = int("n")
        var child: Int32 = 0
        func fork(_ value: inout Int) throws {
            value += 1
            child = try forkProcess()
            if child == 0 { try converse(at: name) }
        }
        if way == "modify" {
            do { try suite.modify(key, fork) } catch let error as DefaultsError {
                return "error \(error.code)"
            }
        } else {
            try fork(&suite[key])
        }
        return child == 0 ? "child" : "\(child)"
    }

    /// Has a child execute this program from its start.
    private func forkAndExecute(to name: String) throws -> String {
        let child = try forkProcess()
        guard child == 0 else { return "\(child)" }
        try converse(at: name)
        answer("child")
        execute(Conversation.program)
        _exit(127)
    }

    /// Starts this program by `posix_spawn`.
    private func spawn(to name: String) throws -> String {
        let line = try connection(to: name)
        defer { close(line) }
        let child = try spawnProcess(Conversation.program, talkingAt: line)
        _ = "child\n".withCString { write(line, $0, 6) }
        return "\(child)"
    }

    private static let program = "/proc/self/exe"

    /// Goes on as a child by `daemon(3)`, which ends this process.
    private func daemonise(to name: String) throws -> String {
        answer("0")
        guard cDaemon(1, 1) == 0 else { throw ForkRefused(call: "daemon", errno: errno) }
        try converse(at: name)
        return "child"
    }

    /// Forks among many threads that make keys without pause, each of which takes a lock of the library for most of its time.
    ///
    /// - Returns: how many children have ended well.
    private func forksInCrowd(_ threads: Int, _ forks: Int) throws -> String {
        let suite = suite
        // They go on until the process ends.
        for thread in 0..<threads {
            try startThread {
                var number = 0
                while true {
                    _ = Defaults.Key<Int>("crowd-\(thread)-\(number % 64)", default: 0, suite: suite)
                    number += 1
                }
            }
        }
        var count = 0
        for _ in 0..<forks {
            let child = try forkProcess()
            if child == 0 { _exit(0) }
            if statusOfChild(child) == 0 { count += 1 }
        }
        return "\(count)"
    }

    /// What this process has open of a folder, and to hear from the kernel with.
    private func descriptors(in folder: String) throws -> String {
        let targets = (3..<256).compactMap { number -> String? in
            var buffer = [CChar](repeating: 0, count: 4096)
            let count = readlink("/proc/self/fd/\(number)", &buffer, buffer.count)
            guard count > 0 else { return nil }
            return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        let ours = targets.filter { $0.hasPrefix(folder) || $0.contains("inotify") }
        return ours.isEmpty ? "none" : ours.joined(separator: " ")
    }
}
