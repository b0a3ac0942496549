import Foundation
import Glibc
import Testing

/// A tool that goes on, and what it prints, line by line; it is ended with the last reference.
final class Stream {
    private let child: Child
    private let output: Int32
    private var bytes: [UInt8] = []
    private var hasEnded = false

    /// What was waited for did not come.
    struct Missing: Error { let wanted: String, instead: String }

    /// - Parameter hearsErrors: whether standard error is among what it prints.
    init(_ place: Workplace, _ arguments: String..., hearsErrors: Bool = false) throws {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer {
            close(ends[1])
            close(null)
        }
        output = ends[0]
        child = try Child(
            Workplace.tool.get(), arguments, place.environment(),
            [null, ends[1], hearsErrors ? ends[1] : STDERR_FILENO])
    }

    deinit {
        if !hasEnded {
            kill(child.process, SIGKILL)
            _ = child.wait()
        }
        close(output)
    }

    /// The next line.
    func line() throws -> String {
        while true {
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                defer { bytes.removeFirst(end + 1) }
                return String(decoding: bytes[..<end], as: UTF8.self)
            }
            guard try readMore(from: output, into: &bytes) else {
                throw Missing(wanted: "a line", instead: String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    /// The next line as a JSON object.
    func object() throws -> [String: Any] {
        let line = try line()
        return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    /// Waits for the end by itself: its status.
    func end() -> Int32 {
        hasEnded = true
        return child.wait()
    }

    /// Interrupts it as ctrl-C does, and waits for its end: the negative number of the signal.
    func interrupt() -> Int32 {
        kill(child.process, SIGINT)
        return end()
    }
}

/// Reads what comes within a minute.
///
/// - Returns: whether anything came.
func readMore(from file: Int32, into bytes: inout [UInt8]) throws -> Bool {
    var wanted = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    guard poll(&wanted, 1, 60_000) == 1 else {
        throw Stream.Missing(wanted: "anything in a minute", instead: String(decoding: bytes, as: UTF8.self))
    }
    var piece = [UInt8](repeating: 0, count: 4_096)
    let count = read(file, &piece, piece.count)
    // A terminal that nobody has open any more answers with an error.
    guard count > 0 else { return false }
    bytes += piece[..<count]
    return true
}
