import Foundation
import Glibc
import Testing

/// A real pseudo-terminal with the tool in it.
final class Terminal {
    private let master: Int32
    private let child: Child
    private var bytes: [UInt8] = []

    init(
        _ place: Workplace, _ arguments: String..., columns: UInt16 = 80, environment: [String: String] = [:]
    ) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(master >= 0)
        // The kernel's numbers for unlocking the other side and for asking its name, which Glibc's module leaves out.
        var (isLocked, number) = (Int32(0), Int32(0))
        try #require(ioctl(master, 0x4004_5431, &isLocked) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(master, UInt(TIOCSWINSZ), &size) == 0)
        let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(slave >= 0)
        defer { close(slave) }
        child = try Child(
            Workplace.tool.get(), arguments, place.environment(environment), [slave, slave, slave])
    }

    deinit { close(master) }

    /// Waits until a text is on the screen.
    func wait(for text: String) throws {
        while !String(decoding: bytes, as: UTF8.self).contains(text) {
            guard try readMore(from: master, into: &bytes) else {
                throw Stream.Missing(wanted: text, instead: String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    /// Waits until a text is on a page of which only what changes is written.
    func waitOnPage(for text: String) throws {
        while !Page(bytes).text.contains(text) {
            guard try readMore(from: master, into: &bytes) else {
                throw Stream.Missing(wanted: text, instead: Page(bytes).text)
            }
        }
    }

    /// Types a text.
    func type(_ text: String) throws {
        let typed = Array(text.utf8)
        try #require(write(master, typed, typed.count) == typed.count)
    }

    /// Waits for the end: the status, and everything that was on the screen, line ends as a program prints them.
    func end() throws -> (status: Int32, screen: String) {
        while try readMore(from: master, into: &bytes) {}
        let screen = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
        return (child.wait(), screen)
    }
}
