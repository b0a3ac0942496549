import Foundation
import Libc
import TestSupport

/// strace, attached to peers.
///
/// A peer stays a child of the tests, so what becomes of it is seen at first hand, and calls count from
/// there on: what a process does to start is not among them.
final class Strace {
    /// One system call of a traced stretch: its name, and the how many-th of that name it is.
    struct Call: Hashable, CustomStringConvertible {
        let name: String
        let occurrence: Int
        var description: String { "\(name) \(occurrence)" }
    }

    /// strace did not take hold of the peer.
    struct Refused: Error {
        let message: String
    }

    private let process: Int32
    private let path: String
    /// What it complains on, and names each new thread on: with nobody to read that it would die.
    private let errors: Pipe
    private var isOver = false

    /// Takes hold of a peer that waits for a command.
    ///
    /// - Parameter fault: what is done to which call, as in strace's `--inject`; nil to look on only.
    convenience init(_ peer: Peer, _ fault: String? = nil) throws {
        let injection = fault.map { ["-e", "inject=\($0)"] } ?? []
        try self.init(holding: [peer], ["-e", "trace=%file,%desc"] + injection)
    }

    /// Takes hold of peers that wait for a command, with options of strace's.
    init(holding peers: [Peer], _ options: [String]) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "strace-\(UUID().uuidString)").path
        let words =
            ["strace", "-o", path, "-e", "signal=none"] + options
            + peers.flatMap { ["-p", "\($0.processID)"] }
        self.path = path
        (errors, process) = try Tool.startingAlone {
            let errors = Pipe()
            let process = try spawn(words, errors: errors.fileHandleForWriting.fileDescriptor)
            try errors.fileHandleForWriting.close()
            return (errors, process)
        }
        var said = ""
        while said.split(separator: "\n").filter({ $0.contains(" attached") }).count < peers.count {
            let more = errors.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Refused(message: said) }
            said += String(decoding: more, as: UTF8.self)
        }
    }

    deinit {
        finish()
        unlink(path)
    }

    /// Lets the peer go on without it.
    func finish() {
        guard !isOver else { return }
        isOver = true
        // More than once: strace misses a signal that comes between its look for one and its wait for the peer.
        let deadline = ContinuousClock.now + .seconds(60)
        var (status, ended) = (Int32(0), pid_t(0))
        while ended == 0 || ended < 0 && errno == EINTR {
            // One that hears nothing must not keep the test.
            kill(process, ContinuousClock.now < deadline ? SIGTERM : SIGKILL)
            poll(nil, 0, 10)
            ended = waitpid(process, &status, WNOHANG)
        }
    }

    /// Lets the peers go and tells what was written down, as it is.
    func log() throws -> String {
        finish()
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    /// Lets the peer go and tells the calls it made on files, in their order.
    ///
    /// What it read its commands with, and memory it mapped, is not among them.
    func calls() throws -> [Call] {
        let lines = try log().split(separator: "\n")
        var counts: [String: Int] = [:]
        return lines.compactMap { line in
            guard let end = line.firstIndex(of: "("), line.contains(") ") else { return nil }
            let name = String(line[..<end])
            guard name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { return nil }
            counts[name, default: 0] += 1
            guard !["read", "mmap"].contains(name) else { return nil }
            return Call(name: name, occurrence: counts[name, default: 0])
        }
    }
}

/// Starts a program with no signal blocked: with this thread's mask it would never hear that it shall end.
private func spawn(_ words: [String], errors: Int32) throws -> Int32 {
    var arguments = words.map { strdup($0) } + [nil]
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    var signals = sigset_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
        arguments.forEach { free($0) }
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    var process: pid_t = 0
    let refusal = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environmentVariables)
    guard refusal == 0 else { throw Peer.Failure.system("posix_spawnp", refusal) }
    return process
}
