#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#else
    #error("defaultsctl needs a C library it knows")
#endif

/// The one door to libc: terminals, whole reads and writes, the clock.
enum System {
    static let input: Int32 = STDIN_FILENO
    static let output: Int32 = STDOUT_FILENO
    static let errorOutput: Int32 = STDERR_FILENO

    /// Takes the place of standard files that are closed, so that no file which is opened later becomes one of them.
    ///
    /// Nothing is read from them, and a write fails.
    static func fillStandardFiles() {
        for file in [input, output, errorOutput] where fcntl(file, F_GETFD) < 0 {
            // The lowest number that is free is this one.
            _ = open("/dev/null", O_RDONLY)
        }
    }

    static func isTerminal(_ file: Int32) -> Bool { isatty(file) == 1 }

    /// The width of a terminal's window; 80 where it does not tell.
    static func columns(of file: Int32) -> Int {
        var size = winsize()
        guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// An environment variable; nil where it is not set or empty.
    static func environment(_ name: String) -> String? {
        guard let text = getenv(name) else { return nil }
        let value = String(cString: text)
        return value.isEmpty ? nil : value
    }

    /// The home folder, as the library finds it: `$HOME` if it is absolute, otherwise what the user database says.
    static var home: String? {
        if let home = environment("HOME"), home.hasPrefix("/") { return home }
        guard let home = getpwuid(getuid())?.pointee.pw_dir else { return nil }
        return String(cString: home)
    }

    /// Whether an environment variable has any text.
    static func isSet(_ name: String) -> Bool { environment(name) != nil }

    /// Writes all of a text.
    ///
    /// - Throws: `.refusedBySystem`: what was to be printed is not all there.
    static func write(_ text: String, to file: Int32) throws {
        try write(Array(text.utf8), to: file)
    }

    /// Writes all of some bytes, which need be no text.
    ///
    /// - Throws: `.refusedBySystem`.
    static func write(_ bytes: [UInt8], to file: Int32) throws {
        let code = bytes.withUnsafeBytes { bytes -> Int32 in
            var done = 0
            while done < bytes.count {
                let count = put(file, bytes.baseAddress.map { $0 + done }, bytes.count - done)
                if count < 0 {
                    if errno == EINTR { continue }
                    return errno
                }
                done += count
            }
            return 0
        }
        if code == EPIPE { try endWithoutReader() }
        guard code == 0 else { throw refusal("the output could not be written", code) }
    }

    /// Writes a text where a refusal has nowhere to be told.
    static func writeIfPossible(_ text: String, to file: Int32) {
        var text = text
        text.withUTF8 { bytes in _ = put(file, bytes.baseAddress, bytes.count) }
    }

    /// Reads a file descriptor to its end.
    ///
    /// - Throws: also where that is more bytes than the limit.
    static func readToEnd(_ file: Int32, _ name: String, limit: Int = .max) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(file, &piece, piece.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw refusal("\(name) could not be read", errno)
            }
            if count == 0 { return bytes }
            guard count <= limit - bytes.count else {
                throw Failure(.unusableInput, "\(name) is larger than \(limit) bytes")
            }
            bytes += piece[..<count]
        }
    }

    /// Reads a line that a person types; nil at the end of the input.
    static func answer() -> String? { readLine() }

    /// Whether a call was refused because this user may not do that here.
    static func isForbidden(_ code: Int32) -> Bool { code == EACCES || code == EPERM || code == EROFS }

    /// The failure that a refused call is.
    static func refusal(_ what: String, _ code: Int32) -> Failure {
        let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
        let status: Failure.Status =
            isForbidden(code) ? .notAllowed : code == ENOENT ? .noSuchSuite : .refusedBySystem
        return Failure(status, "\(what): \(reason)")
    }
}

/// The C function, whose name the wrapper takes inside the type.
private func put(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(file, bytes, count) }
