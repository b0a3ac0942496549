/// From a suite's name to its folder: different names never share a folder, and none leads out of the parent folder.
///
/// Except where the file system takes names that differ in case for one, as APFS does unless it is formatted otherwise.
enum SuiteName {
    /// The longest folder name, in bytes.
    private static let limit = 200

    /// Returns the folder's name: bytes outside `A-Z a-z 0-9 . _ -`, and a leading dot, are written as `%XX`.
    ///
    /// - Throws: `.invalidSuiteName` for a name that is empty, has a NUL, or becomes too long.
    static func folder(for name: String) throws(DefaultsError) -> String {
        guard !name.isEmpty else { throw refused(name, "it is empty") }
        guard !name.utf8.contains(0) else { throw refused(name, "it holds a NUL") }
        // Most names do, and the steps below touch pages of the standard library that a new process has not loaded
        // yet.
        if isFolder(name) { return name }
        var encoded = ""
        for (place, byte) in name.utf8.enumerated() {
            encoded += place == 0 && byte == UInt8(ascii: ".") ? escaped(byte) : encode(byte)
        }
        guard encoded.utf8.count <= limit else { throw refused(name, "it is longer than \(limit) bytes") }
        return encoded
    }

    /// Nil if no name leads to it.
    static func name(ofFolder folder: String) -> String? {
        var bytes: [UInt8] = []
        var rest = folder.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        guard let name = String(validating: bytes, as: UTF8.self) else { return nil }
        // Any folder other than the very one that the name leads to is not ours.
        do { return try self.folder(for: name) == folder ? name : nil } catch { return nil }
    }

    private static func refused(_ name: String, _ reason: String) -> DefaultsError {
        DefaultsError(.invalidSuiteName, suite: String(name.prefix(80)), underlyingDescription: reason)
    }

    /// Returns a byte as it is, or as `%XX` if it is none of `A-Z a-z 0-9 . _ -`.
    static func encode(_ byte: UInt8) -> String { isPlain(byte) ? plain(byte) : escaped(byte) }

    private static func isFolder(_ name: String) -> Bool {
        name.utf8.count <= limit && name.utf8.first != UInt8(ascii: ".") && name.utf8.allSatisfy(isPlain)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private static func plain(_ byte: UInt8) -> String { String(decoding: [byte], as: UTF8.self) }

    private static func escaped(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return "%" + (digits.utf8.count == 1 ? "0" : "") + digits
    }

    /// Returns the absolute path of the folder that contains the suites' folders.
    ///
    /// - Parameters:
    ///   - directory: the one that the caller names, if any.
    ///   - name: the suite in question, for the error.
    /// - Throws: `.invalidSuiteName` if the path names no folder; `.ioFailure` if the user has no home, or if the path is
    ///   relative to a working directory that is gone.
    static func parent(_ directory: String?, of name: String? = nil) throws(DefaultsError) -> String {
        guard let directory else { return try defaultParent() }
        guard !directory.utf8.contains(0) else {
            throw DefaultsError(
                .invalidSuiteName, suite: name, underlyingDescription: "the folder's path holds a NUL")
        }
        guard !directory.isEmpty else {
            throw DefaultsError(
                .invalidSuiteName, suite: name, underlyingDescription: "the folder's path is empty")
        }
        return try GivenPath.absolute(directory, suite: name, refusal: .invalidSuiteName)
    }

    /// Returns the name of a program as the name of its suite: one that is too long for a folder is cut, and kept
    /// distinct by a hash.
    static func fitting(_ program: String) -> String {
        let lengths = program.map { character in character.utf8.reduce(0) { $0 + encode($1).utf8.count } }
        guard lengths.reduce(2, +) > limit else { return program }
        var room = limit - 16
        let begin = zip(program, lengths).prefix { _, length in
            room -= length
            return room >= 0
        }
        let hash = String(Checksum.crc32c(Array(program.utf8)), radix: 16)
        return String(begin.map(\.0)) + "-" + hash
    }

    /// Returns the folder that contains the suites' folders if the caller names none.
    ///
    /// `$XDG_CONFIG_HOME` if it is absolute, as its specification requires, otherwise `~/.config`; on Apple's systems
    /// `~/Library/Application Support`.
    ///
    /// - Throws: `.ioFailure` if there is none: always on tvOS, where the system may empty each folder that a program may use.
    static func defaultParent() throws(DefaultsError) -> String {
        do {
            if let folder = try SystemCalls.path(inEnvironment: "XDG_CONFIG_HOME") { return folder }
        } catch {
            throw DefaultsError(
                .ioFailure, systemError: error, underlyingDescription: "XDG_CONFIG_HOME is not UTF-8")
        }
        #if os(tvOS)
            throw DefaultsError(
                .ioFailure,
                underlyingDescription: "tvOS keeps no program's files; name a folder, such as "
                    + "Library/Caches, which the system may empty at any time")
        #else
            let home = try GivenPath.home()
            #if canImport(Darwin)
                return home + "/Library/Application Support"
            #else
                return home + "/.config"
            #endif
        #endif
    }
}
