import Libc

/// The C function, which Swift hides because a child may do little: what it may do with the library is what is tested.
@_silgen_name("fork") private func cFork() -> Int32
/// The C function, which musl's header does not declare.
@_silgen_name("daemon") func cDaemon(_ keepsFolder: Int32, _ keepsStreams: Int32) -> Int32

/// What went wrong around a fork.
struct ForkRefused: Error {
    let call: String
    let errno: Int32
}

/// Forks; 0 in the child.
func forkProcess() throws -> Int32 {
    let child = cFork()
    guard child >= 0 else { throw ForkRefused(call: "fork", errno: errno) }
    return child
}

/// Talks from now on with whoever listens at a socket of that name, and no more with those the parent talks with.
func converse(at name: String) throws {
    let line = try connection(to: name)
    dup2(line, STDIN_FILENO)
    dup2(line, STDOUT_FILENO)
    close(line)
}

/// Connects with what listens at a socket of that name.
func connection(to name: String) throws -> Int32 {
    let line = streamSocket(AF_UNIX)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // A name that begins with 0 stands in no folder.
    withUnsafeMutableBytes(of: &address.sun_path) { $0.dropFirst().copyBytes(from: name.utf8) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + 1 + name.utf8.count)
    let said = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(line, $0, length) }
    }
    guard said == 0 else { throw ForkRefused(call: "connect", errno: errno) }
    return line
}

/// Becomes another program, without arguments; returns if that is refused.
func execute(_ program: String) {
    program.withCString { path in
        let arguments = [UnsafeMutablePointer(mutating: path), nil]
        _ = execv(path, arguments)
    }
}

/// Starts a program, without arguments, that talks at a connection.
func spawnProcess(_ program: String, talkingAt line: Int32) throws -> Int32 {
    var actions = noFileActions
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, line, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, line, STDOUT_FILENO)
    var child: pid_t = 0
    let refusal = program.withCString { path in
        let arguments = [UnsafeMutablePointer(mutating: path), nil]
        return posix_spawn(&child, path, &actions, nil, arguments, environ)
    }
    guard refusal == 0 else { throw ForkRefused(call: "posix_spawn", errno: refusal) }
    return child
}

/// Waits for the end of a child: its status, or the negative number of the signal that ended it.
func statusOfChild(_ child: Int32) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
}
