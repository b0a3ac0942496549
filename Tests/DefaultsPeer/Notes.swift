import Libc

/// A file in which one thread notes what happens, with one system call a line, so that a kill leaves all lines whole
/// but the last.
final class Notes: Sendable {
    private let descriptor: Int32

    /// The file cannot be made or written.
    struct Refused: Error {
        let errno: Int32
    }

    /// Makes the file, which must not be there.
    init(path: String) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Refused(errno: errno) }
    }

    deinit { close(descriptor) }

    /// Adds a line of words.
    func add(_ words: [String]) throws {
        let line = Array((words.joined(separator: " ") + "\n").utf8)
        guard write(descriptor, line, line.count) == line.count else { throw Refused(errno: errno) }
    }

    /// The present moment of the clock that all processes share.
    static var now: String {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return "\(time.tv_sec * 1_000_000_000 + time.tv_nsec)"
    }

    /// A value as a word.
    static func text(_ value: Int?) -> String { value.map(String.init) ?? "-" }
}
