import Libc
import TypedDefaults

/// What a program does that knows the settings file but not this library.
extension Conversation {
    /// Obeys a command about a file as such; nil where it is none.
    func editing(_ command: Command) throws -> String? {
        guard command.verb == "edit" else { return nil }
        try edit(
            try command.word(0), key: try command.word(1), value: try command.number(2),
            waits: try command.word(3) == "synced")
        return "ok"
    }

    /// A call on the file was refused.
    private struct Refused: Error {
        let errno: Int32
    }

    /// `edit <path> <key> <number> synced|unsynced`: sets one member as editors do, by a new file that takes the
    /// old one's place.
    ///
    /// - Parameter waits: whether it waits until the file and its name are on the disk.
    private func edit(_ path: String, key: String, value: Int, waits: Bool) throws {
        let members = try read(path).filter { $0.key != key } + [(key, .number(DefaultsNumber(value)))]
        let text = Array(DefaultsValue.object(DefaultsObject(members)).description.utf8)
        let temporary = try done(open(path + "~", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600))
        try done(text.withUnsafeBytes { write(temporary, $0.baseAddress, $0.count) })
        if waits { try done(fsync(temporary)) }
        close(temporary)
        try done(rename(path + "~", path))
        guard waits else { return }
        let folder = try done(
            open(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]), O_RDONLY | O_CLOEXEC))
        try done(fsync(folder))
        close(folder)
    }

    private func read(_ path: String) throws -> [DefaultsObject.Element] {
        let file = try done(open(path, O_RDONLY | O_CLOEXEC))
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = try done(Libc.read(file, &bytes, bytes.count))
        return Array(
            try StoredValue(validating: Array(bytes.prefix(count))).value.object ?? DefaultsObject([]))
    }

    @discardableResult
    private func done<Result: FixedWidthInteger>(_ result: Result) throws -> Result {
        guard result >= 0 else { throw Refused(errno: errno) }
        return result
    }
}
