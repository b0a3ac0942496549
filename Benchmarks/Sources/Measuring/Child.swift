import Glibc

/// A process that the driver has started.
public struct Child: Sendable {
    /// The number that the kernel knows it by.
    public let processID: Int32
    private let output: Int32?
    private let path: String

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - environment: its whole environment.
    ///   - keepsOutput: whether standard output is read by `finish()`; else it goes to `/dev/null`.
    public init(
        _ path: String, _ arguments: [String] = [], environment: [String: String], keepsOutput: Bool = false
    ) throws(SystemFailure) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        var ends: [Int32] = [-1, -1]
        if keepsOutput {
            guard pipe(&ends) == 0 else { throw SystemFailure("pipe") }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        }
        let words = CStrings([path] + arguments)
        let variables = CStrings(environment.map { "\($0.key)=\($0.value)" })
        var process: pid_t = 0
        let status = posix_spawn(&process, path, &actions, nil, words.pointers, variables.pointers)
        if keepsOutput { close(ends[1]) }
        guard status == 0 else {
            if keepsOutput { close(ends[0]) }
            throw SystemFailure("posix_spawn", path, number: status)
        }
        (processID, self.path) = (process, path)
        output = keepsOutput ? ends[0] : nil
    }

    /// Waits for the process's end; gives what it printed.
    @discardableResult
    public func finish() throws(SystemFailure) -> String {
        var text: [UInt8] = []
        if let output {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while case let count = read(output, &buffer, buffer.count), count > 0 {
                text += buffer[..<count]
            }
            close(output)
        }
        var status: Int32 = 0
        guard waitpid(processID, &status, 0) == processID else { throw SystemFailure("waitpid", path) }
        guard status == 0 else { throw SystemFailure(waitingFor: "\(path): it ended with \(status)") }
        return String(decoding: text, as: UTF8.self)
    }

    /// Halts the process until `goOn()`.
    public func stop() throws(SystemFailure) { try send(SIGSTOP) }

    /// Lets a halted process go on.
    public func goOn() throws(SystemFailure) { try send(SIGCONT) }

    private func send(_ signal: Int32) throws(SystemFailure) {
        guard Glibc.kill(processID, signal) == 0 else { throw SystemFailure("kill", path) }
    }

    /// Ends the process and waits for that.
    public func kill() {
        Glibc.kill(processID, SIGKILL)
        var status: Int32 = 0
        waitpid(processID, &status, 0)
        if let output { close(output) }
    }
}

/// Texts as C wants them: a list of pointers that a null ends.
private final class CStrings {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ texts: [String]) { pointers = texts.map { strdup($0) } + [nil] }

    deinit { for pointer in pointers { free(pointer) } }
}
