// The one door to the C library for the tests and their programs, as `Platform` is for the library.
#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    // Preconcurrency, because musl's list of variables is a plain global, which is only read here.
    @_exported @preconcurrency public import Musl
#elseif canImport(Darwin)
    @_exported public import Darwin
#endif

/// The variables of this process, as `posix_spawn` takes them.
package var environmentVariables: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? { environ }

/// What a started program does with its files, before `posix_spawn_file_actions_init`.
#if canImport(Darwin)
    package var noFileActions: posix_spawn_file_actions_t? { nil }
#else
    package var noFileActions: posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
#endif

/// The limits of a file's size and of open files, for `getrlimit` and `setrlimit`.
#if canImport(Glibc)
    package let limitOfFileSize = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    package let limitOfOpenFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
    package let limitOfFileSize = RLIMIT_FSIZE
    package let limitOfOpenFiles = RLIMIT_NOFILE
#endif

/// Makes a stream socket that no started program inherits; -1 if the system refuses.
package func streamSocket(_ family: Int32) -> Int32 {
    #if canImport(Darwin)
        closedInPrograms(socket(family, SOCK_STREAM, 0))
    #else
        socket(family, kindOfStream, 0)
    #endif
}

/// Makes two connected sockets that no started program inherits; nil if the system refuses.
package func streamSocketPair() -> (Int32, Int32)? {
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
        guard socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0 else { return nil }
        return (closedInPrograms(ends[0]), closedInPrograms(ends[1]))
    #else
        guard socketpair(AF_UNIX, kindOfStream, 0, &ends) == 0 else { return nil }
        return (ends[0], ends[1])
    #endif
}

#if canImport(Glibc)
    private let kindOfStream = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
#elseif canImport(Musl)
    private let kindOfStream = SOCK_STREAM | SOCK_CLOEXEC
#else
    private func closedInPrograms(_ socket: Int32) -> Int32 {
        if socket >= 0 { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
        return socket
    }
#endif

/// Sends bytes over a socket; if the other side is gone, this raises no signal.
package func sendUnsignalled(_ bytes: UnsafeRawBufferPointer, over socket: Int32) -> Int {
    #if canImport(Darwin)
        var isOn: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        return send(socket, bytes.baseAddress, bytes.count, 0)
    #else
        return send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
}
