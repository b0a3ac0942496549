import Foundation
import Libc
package import DefaultsStore

/// Another process that uses the library: `DefaultsPeer`, told what to do line by line.
///
/// Each command is one line and has one line for an answer, except where the command says otherwise. Any thread may
/// use it. It is killed with its last reference.
package final class Peer: PeerConversation {
    /// How a peer ended.
    package enum Exit: Hashable, Sendable {
        case status(Int32)
        case signal(Int32)
    }

    /// Why a peer did not do as it was told.
    package enum Failure: Error, Hashable {
        /// No answer came in time.
        case timedOut(waitingFor: String)
        /// The peer is gone.
        case ended
        /// The operating system refused a call, with its errno.
        case system(String, Int32)
    }

    /// The peer's process id.
    package let processID: Int32
    package let line: Locked<PeerLine>
    private let exit = Locked<Exit?>(nil)

    /// Starts a peer.
    ///
    /// - Parameters:
    ///   - program: another program than the one beside the tests.
    ///   - environment: variables it has beside, or in place of, those of the tests.
    ///   - stack: the limit of its stack, in KiB; nil for that of the tests.
    ///   - words: the words of a command that runs another one, which it is started by.
    package init(
        program: String? = nil, environment: [String: String] = [:], stack: Int? = nil,
        by words: [String] = []
    ) throws {
        let (mine, theirs) = try PeerLine.pair()
        defer { Libc.close(theirs) }
        do {
            processID = try spawnPeer(program, on: theirs, environment: environment, stack, words)
        } catch {
            Libc.close(mine)
            throw error
        }
        line = Locked(PeerLine(descriptor: mine))
    }

    /// The path of the program beside the tests' own.
    package static var path: String {
        get throws {
            let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return URL(filePath: tests).deletingLastPathComponent().appending(path: "DefaultsPeer").path
        }
    }

    deinit {
        kill()
        exit.withLock { exit in
            if exit == nil { exit = reap(processID) }
        }
        line.withLock { $0.close() }
    }

    /// Kills the peer where it stands, as `kill -9` does; what it had written can still be received.
    package func kill() { signal(SIGKILL) }

    /// Stops the peer; it has stopped when this returns.
    package func stop() {
        signal(SIGSTOP)
        var status = siginfo_t()
        waitid(P_PID, id_t(processID), &status, WSTOPPED | WEXITED | WNOWAIT)
    }

    /// Lets a stopped peer go on.
    package func resume() { signal(SIGCONT) }

    /// Says that no more commands come.
    package func finish() { line.withLock { $0.finish() } }

    /// Ends the conversation and waits until the peer has ended.
    @discardableResult
    package func close() throws -> Exit {
        try line.withLock { line in
            line.finish()
            try line.drain(within: .seconds(120))
        }
        return exit.withLock { exit in
            let ended = exit ?? reap(processID)
            exit = ended
            return ended
        }
    }

    /// Sends a signal, unless the peer is gone and its id may be another process's.
    private func signal(_ number: Int32) {
        exit.withLock { exit in
            if exit == nil { _ = Libc.kill(processID, number) }
        }
    }
}

/// Waits until a process has ended and takes its status.
private func reap(_ process: Int32) -> Peer.Exit {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? .status((status >> 8) & 0xFF) : .signal(signal)
}

/// Starts a program, or else the executable beside the tests' own, with a socket for its standard input and output.
private func spawnPeer(
    _ program: String?, on socket: Int32, environment: [String: String], _ stack: Int?, _ starter: [String]
) throws -> Int32 {
    let peer = try program ?? Peer.path
    let begin = starter.isEmpty ? [] : ["/usr/bin/env"] + starter
    let words = begin + (stack.map { ["/bin/sh", "-c", "ulimit -s \($0) && exec \"$0\"", peer] } ?? [peer])
    let path = words[0]
    let variables = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    var arguments = words.map { strdup($0) } + [nil]
    var values = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    var actions = noFileActions
    posix_spawn_file_actions_init(&actions)
    defer {
        (arguments + values).forEach { free($0) }
        posix_spawn_file_actions_destroy(&actions)
    }
    posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO)
    var process: pid_t = 0
    let refusal = Tool.startingAlone {
        posix_spawn(&process, path, &actions, nil, &arguments, &values)
    }
    guard refusal == 0 else { throw Peer.Failure.system("posix_spawn", refusal) }
    return process
}
