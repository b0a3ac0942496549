@_spi(TypedDefaults) @testable import DefaultsTerminal
import Foundation
import Glibc
import Testing
import TypedDefaults

/// A folder of one test's own with a settings file; it goes with the last reference to it.
final class Place: Sendable {
    let path: String

    init(_ settings: String? = nil) throws {
        path =
            FileManager.default.temporaryDirectory.appending(path: "defaults-terminal-\(UUID().uuidString)")
            .path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        if let settings { try save(settings) }
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: path) } catch {
            FileHandle.standardError.write(Data("a test's folder stays behind: \(path): \(error)\n".utf8))
        }
    }

    var file: String { path + "/settings.json" }

    /// Saves as an editor does: another file, which is renamed.
    func save(_ settings: String, as name: String = "settings.json") throws {
        try Data(settings.utf8).write(to: URL(filePath: "\(path)/\(name).new"))
        try #require(rename("\(path)/\(name).new", "\(path)/\(name)") == 0)
    }

    /// The suite as another program has it.
    func suite() throws -> DefaultsSuite { try DefaultsSuite(file: file) }
}

/// The tool in a pseudo-terminal that is its own, and what the terminal shows.
final class Player {
    private var master: Int32
    let process: pid_t
    private(set) var emulator: Emulator
    private(set) var count = 0
    private var hasEnded = false

    struct Missing: Error, CustomStringConvertible {
        let wanted: String
        let instead: String
        var description: String { "\(wanted) in place of:\n\(instead)" }
    }

    /// - Parameter shell: a script around the tool, of which `"$@"` is the command; nil for the tool alone.
    init(
        _ place: Place, _ more: String..., columns: Int = 80, rows: Int = 24,
        environment: [String: String] = [:],
        shell: String? = nil
    ) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(master >= 0)
        // The kernel's numbers for unlocking the other side and for asking its name, which Glibc's module leaves out.
        var (isLocked, number) = (Int32(0), Int32(0))
        try #require(ioctl(master, 0x4004_5431, &isLocked) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
        emulator = Emulator(Screen.Size(columns: columns, rows: rows))
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(master, UInt(TIOCSWINSZ), &size) == 0)
        let tool = [Player.tool, "settings", place.file] + more
        let words = shell.map { ["/bin/sh", "-mc", $0, "sh"] + tool } ?? tool
        let variables = [
            "TERM": "xterm", "HOME": place.path, "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin",
            // On a terminal it would ask what to do.
            "SWIFT_BACKTRACE": "enable=no",
        ]
        process = try spawn(words, variables.merging(environment) { $1 }, terminal: "/dev/pts/\(number)")
    }

    deinit {
        if !hasEnded {
            kill(process, SIGKILL)
            _ = end()
        }
        if master >= 0 { close(master) }
    }

    /// Where the built tests and the built tool are.
    static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()
    static let tool = products.appending(path: "screen-tool").path

    var screen: String { emulator.text }

    /// Waits until the screen has a text.
    func wait(for text: String) throws {
        try wait(text) { $0.text.contains(text) }
    }

    /// Waits until the screen has a text no more.
    func waitUntilGone(_ text: String) throws { try wait("no \(text)") { !$0.text.contains(text) } }

    /// Waits until the terminal is as it is wanted.
    func wait(_ wanted: String, until isSo: (Emulator) -> Bool) throws {
        while !isSo(emulator) {
            guard try read() else { throw Missing(wanted: wanted, instead: screen) }
        }
    }

    /// Reads what comes within a while.
    ///
    /// - Returns: whether anything came; false where nobody has the terminal open any more.
    private func read() throws -> Bool {
        var wanted = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard poll(&wanted, 1, 20_000) == 1 else {
            throw Missing(wanted: "anything in 20 s", instead: screen)
        }
        var piece = [UInt8](repeating: 0, count: 65_536)
        let length = Glibc.read(master, &piece, piece.count)
        guard length > 0 else { return false }
        count += length
        emulator.feed(Array(piece[..<length]))
        return true
    }

    /// Types a text, or presses keys.
    func type(_ text: String) throws {
        let bytes = Array(text.utf8)
        try #require(write(master, bytes, bytes.count) == bytes.count)
    }

    /// Presses some keys, and waits after each until the screen has the text that belongs to it.
    func press(_ keys: KeyValuePairs<String, String>) throws {
        for (key, text) in keys {
            try type(key)
            try wait(for: text)
        }
    }

    func resize(columns: Int, rows: Int) throws {
        emulator.resize(Screen.Size(columns: columns, rows: rows))
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(master, UInt(TIOCSWINSZ), &size) == 0)
    }

    /// Whether the terminal has the modes that it had in the beginning.
    var hasUsualModes: Bool {
        var modes = termios()
        guard tcgetattr(master, &modes) == 0 else { return false }
        let wanted = tcflag_t(ICANON | ECHO | ISIG)
        return modes.c_lflag & wanted == wanted && modes.c_iflag & tcflag_t(ICRNL) != 0
    }

    /// Whether nothing is left of the screen: its page, its modes, a hidden cursor.
    var isRestored: Bool { hasUsualModes && emulator.modes == [7, 25] }

    /// Takes the terminal away, as closing its window does.
    func hangUp() {
        close(master)
        master = -1
    }

    /// Waits for the end: the exit status, or the negative number of the signal that ended it.
    func end() -> Int32 {
        hasEnded = true
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }

    /// Reads until nobody has the terminal open any more, and waits for the end.
    func readToEnd() throws -> Int32 {
        while try read() {}
        return end()
    }
}

/// Starts a program; with a terminal in a session of its own, which the terminal controls.
func spawn(_ words: [String], _ environment: [String: String] = [:], terminal: String? = nil) throws -> pid_t
{
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (arguments + variables).forEach { free($0) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    if let terminal {
        posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
        for file in 1...2 { posix_spawn_file_actions_adddup2(&actions, 0, Int32(file)) }
        // POSIX_SPAWN_SETSID, which Glibc's module leaves out.
        flags |= 0x80
    }
    // The threads that tests run on block most signals, and a child would go on so.
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var process = pid_t()
    try #require(posix_spawn(&process, words[0], &actions, &attributes, &arguments, &variables) == 0)
    return process
}

/// What a terminal sends for keys.
enum Sent {
    static let up = "\u{1B}[A"
    static let down = "\u{1B}[B"
    static let home = "\u{1B}[H"
    static let end = "\u{1B}[F"
    static let escape = "\u{1B}"
    static let enter = "\r"
    static let clear = "\u{15}"
    static func paste(_ text: String) -> String { "\u{1B}[200~\(text)\u{1B}[201~" }
}
