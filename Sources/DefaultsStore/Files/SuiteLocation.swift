/// Where a suite's files are: a folder and the names in it.
///
/// A class, because every step asks for parts of a location, and they never change.
package final class SuiteLocation: Hashable, Sendable {
    /// An absolute path.
    package let folder: String
    let settings: String
    /// Accepts a folder that others can write.
    let allowsInsecureDirectory: Bool
    /// Nothing is made, written or locked there.
    let isReadOnly: Bool
    /// Whether it is what a link in the settings file's place leads to, which may be any file of the user's.
    let isBehindLink: Bool

    /// The name of the journal; stored, because every write asks for it.
    let journal: String
    /// The name of the lock file; stored for the same reason.
    let lock: String
    let journalPath: String
    let lockPath: String
    /// The name of the temporary file: the next settings file, or journal, while it is being written.
    var temporary: String { ".\(settings).tmp" }
    /// The name of the displaced file: first a second name of the temporary file, then the old settings file's.
    var displaced: String { ".\(settings).old" }
    /// The name of a quarantined file: bytes that could not be used.
    func damaged(_ number: Int) -> String { "\(settings).damaged-\(number)" }

    /// The longest name of a settings file, in bytes: the last copy of a damaged one has 14 more, of 255.
    static let longestName = 240
    /// Whether the names of all files next to the settings file can be made of its name.
    var hasRoomBeside: Bool { settings.utf8.count <= SuiteLocation.longestName }

    /// Where the versions of the settings file are, and the name of one of them.
    func version(_ name: String) -> SuiteLocation {
        SuiteLocation(
            folder: path(of: ".\(settings).history"), settings: name,
            allowsInsecureDirectory: allowsInsecureDirectory, isReadOnly: isReadOnly)
    }

    var schema: String {
        (settings.hasSuffix(".json") ? String(settings.dropLast(5)) : settings) + ".schema.json"
    }

    package let path: String
    func path(of name: String) -> String { SuiteLocation.path(of: name, inFolder: folder) }
    /// Returns the path of a name in a folder, whose own path is normalised: the root folder's ends in a slash
    /// already.
    @inline(never)
    static func path(of name: String, inFolder folder: String) -> String {
        folder.utf8.last == slash ? folder + name : folder + "/" + name
    }

    init(
        folder: String, settings: String = "settings.json", allowsInsecureDirectory: Bool,
        isReadOnly: Bool = false, isBehindLink: Bool = false
    ) {
        let folder = SuiteLocation.normal(SystemCalls.absolute(folder))
        self.folder = folder
        self.settings = settings
        self.allowsInsecureDirectory = allowsInsecureDirectory
        self.isReadOnly = isReadOnly
        self.isBehindLink = isBehindLink
        path = SuiteLocation.path(of: settings, inFolder: folder)
        journal = "." + settings + ".journal"
        lock = "." + settings + ".lock"
        journalPath = SuiteLocation.path(of: journal, inFolder: folder)
        lockPath = SuiteLocation.path(of: lock, inFolder: folder)
    }

    /// Nil if the path names no file.
    convenience init?(
        path: String, allowsInsecureDirectory: Bool, isReadOnly: Bool = false, isBehindLink: Bool = false
    ) {
        let whole = SuiteLocation.normal(SystemCalls.absolute(path))
        let begin = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) }
        let name = String(path[(begin ?? path.startIndex)...])
        guard name != "", name != ".", name != "..",
            let slash = whole.utf8.lastIndex(of: UInt8(ascii: "/"))
        else { return nil }
        // Without its slash the root folder's path would be empty, which means the working directory.
        let folder = slash == whole.startIndex ? "/" : String(whole[..<slash])
        self.init(
            folder: folder, settings: name, allowsInsecureDirectory: allowsInsecureDirectory,
            isReadOnly: isReadOnly, isBehindLink: isBehindLink)
    }

    func checkWritable() throws(DefaultsError) { if isReadOnly { throw readOnlyError } }

    var readOnlyError: DefaultsError {
        DefaultsError(
            .readOnly, path: path, underlyingDescription: "it was opened with readOnly: true"
        ).advising("Open it without that to write.")
    }

    /// Compares bytes, as the kernel does: two spellings of a letter are one string to Swift, but two files.
    package static func == (left: SuiteLocation, right: SuiteLocation) -> Bool {
        left.path.utf8.elementsEqual(right.path.utf8)
            && left.allowsInsecureDirectory == right.allowsInsecureDirectory
            && left.isReadOnly == right.isReadOnly
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(path) }

    /// Returns the path without double slashes and `.`; `..` stays, because a link before it may change its meaning.
    private static func normal(_ path: String) -> String {
        if isNormal(path) { return path }
        var normal: [UInt8] = [slash]
        for byte in path.utf8 {
            if byte == slash { endName(in: &normal) } else { normal.append(byte) }
        }
        endName(in: &normal)
        if normal.count > 1 { normal.removeLast() }
        return String(decoding: normal, as: UTF8.self)
    }

    /// Whether an absolute path is normalised already, as most are.
    private static func isNormal(_ path: String) -> Bool {
        var (length, isDot) = (0, false)
        for byte in path.utf8.dropFirst() {
            if byte == slash {
                if length == 0 || length == 1 && isDot { return false }
                length = 0
            } else {
                isDot = byte == UInt8(ascii: ".")
                length += 1
            }
        }
        return path.utf8.first == slash && length > 0 && !(length == 1 && isDot)
    }

    private static let slash = UInt8(ascii: "/")

    /// Ends the last name of a path with a slash, or removes what is not a name.
    private static func endName(in path: inout [UInt8]) {
        if path.last == slash { return }
        if path.last == UInt8(ascii: "."), path[path.count - 2] == slash {
            path.removeLast()
        } else {
            path.append(slash)
        }
    }

    /// Without `split` and `joined`, because their first use makes the runtime search all conformances.
    static func parts(of path: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = path[...]
        while let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) {
            if slash > rest.startIndex { parts.append(rest[..<slash]) }
            rest = rest[rest.utf8.index(after: slash)...]
        }
        if !rest.isEmpty { parts.append(rest) }
        return parts
    }
}
