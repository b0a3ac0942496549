/// A folder into which an administrator, a packager or the system puts files: their names, and what is in them.
///
/// A file applies only if it, its folder, and the folder of each link on the way to it belong to root or to this user
/// and nobody else can write them; and all folders and links on the way to those belong to root or to this user (F21).
/// A folder that everybody could write is accepted where its file system is mounted read-only, as those are into which
/// Kubernetes and systemd put configuration and credentials: whoever can write it elsewhere can put no file of root's or
/// this user's there. A file that others could write is not, because they may write it by another mount. Nothing is waited for: a pipe or a device in a file's place
/// is refused.
struct TrustedFolder: Hashable, Sendable {
    let path: String
    /// Whether files and folders count that others can write or that are theirs; links of others never do.
    var allowsOthers = false

    /// What a name in the folder stands for.
    enum Item: Sendable {
        case file([UInt8], FileStatus)
        /// A link to `/dev/null`, by which an administrator says that there is to be no such file.
        case mask
        case folder
    }

    /// The most links on the way to one file.
    private static let mostAttempts = 16

    /// Returns the names in the folder, in the order of their bytes; nil if there is no such folder.
    ///
    /// - Throws: `.insecureDirectory`, `.ioFailure`.
    func names() throws(DefaultsError) -> [String]? {
        guard let folder = try open(path) else { return nil }
        return try DefaultsError.reading(
            path, SystemCalls.names(in: folder).sorted(byName: { KeyName($0) }))
    }

    /// Whether there is the folder; for what is in another one inside of it, which others must not exchange.
    ///
    /// - Throws: `.insecureDirectory`, `.ioFailure`.
    func exists() throws(DefaultsError) -> Bool { try open(path) != nil }

    /// Reads what a name stands for; nil if there is nothing of that name, or a link leads nowhere.
    ///
    /// - Parameters:
    ///   - limit: the most bytes that are read.
    ///   - passed: the folders through which links have led, which have to be watched as well.
    /// - Throws: `.insecureDirectory`, `.valueTooLarge`, `.ioFailure`, with the path of the name.
    func read(_ name: String, limit: Int, passed: inout Set<String>) throws(DefaultsError) -> Item? {
        let given = SuiteLocation.path(of: name, inFolder: path)
        var (folder, name) = (path, name)
        for _ in 0..<TrustedFolder.mostAttempts {
            guard let directory = try open(folder) else { return nil }
            let here = SuiteLocation.path(of: name, inFolder: folder)
            let status = try DefaultsError.reading(
                here, SystemError.nilIfMissing(SystemCalls.status(name, in: directory)))
            guard let status else { return nil }
            guard status.isSymbolicLink else {
                return try readItem(name, status, in: directory, here, limit)
            }
            let target: String
            do throws(DefaultsError) {
                // Nil if it is no link any more.
                guard let found = try SafePath.linkTarget(name, in: directory, given) else { continue }
                target = found
            } catch {
                if error.systemError?.isMissing == true { return nil }
                throw error
            }
            if target == "/dev/null" { return .mask }
            guard let next = TrustedFolder.split(target, from: folder) else {
                throw TrustedFolder.insecure(given, "the link does not lead to a file")
            }
            (folder, name) = next
            passed.insert(folder)
        }
        throw TrustedFolder.insecure(given, "the links do not end")
    }

    /// Returns the folder and the name that a link's text leads to.
    private static func split(_ target: String, from folder: String) -> (folder: String, name: String)? {
        let whole = target.hasPrefix("/") ? target : SuiteLocation.path(of: target, inFolder: folder)
        guard let slash = whole.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        let name = String(whole[whole.utf8.index(after: slash)...])
        guard name != "", name != ".", name != ".." else { return nil }
        return (slash == whole.startIndex ? "/" : String(whole[..<slash]), name)
    }

    private func readItem(
        _ name: String, _ status: FileStatus, in folder: borrowing Descriptor, _ path: String, _ limit: Int
    ) throws(DefaultsError) -> Item? {
        if status.isDirectory { return .folder }
        // Before it is opened, because that can have an effect on a device.
        guard status.isRegular else { throw TrustedFolder.insecure(path, "it is not a regular file") }
        let ofAnybody = allowsOthers
        guard let opened = try RegularFile.open(name, in: folder, path, ofAnybody: ofAnybody) else {
            return nil
        }
        func check(_ status: FileStatus) throws(DefaultsError) {
            if !ofAnybody { try TrustedFolder.check(status, path) }
        }
        let read = try RegularFile.readWhole(opened.file, opened.status, path, limit: limit, check: check)
        // Whoever could write it in the meantime may have done so.
        try check(read.status)
        return .file(read.bytes, read.status)
    }

    /// Opens a folder that can be trusted; nil if there is none.
    private func open(_ path: String) throws(DefaultsError) -> Descriptor? {
        guard let folder = try SafePath.open(path, allowsOthers: allowsOthers) else { return nil }
        if allowsOthers { return folder }
        let status = try DefaultsError.reading(path, SystemCalls.status(of: folder))
        try TrustedFolder.check(status, isReadOnly: SystemCalls.isReadOnly(folder), path)
        return folder
    }

    /// Refuses what is not an administrator's, or what others can write.
    ///
    /// - Parameter isReadOnly: whether it is a folder that is mounted so that nobody can write it.
    static func check(
        _ status: FileStatus, isReadOnly: Bool = false, _ path: String
    ) throws(DefaultsError) {
        if !SuiteDirectory.isTrusted(owner: status.owner) {
            throw insecure(path, "it " + SuiteDirectory.belongs(to: status.owner))
        }
        if !isReadOnly, status.permissions & 0o022 != 0 {
            throw insecure(path, "others than its owner can write it")
        }
    }

    private static func insecure(_ path: String, _ reason: String) -> DefaultsError {
        DefaultsError(.insecureDirectory, path: path, underlyingDescription: reason)
    }
}

/// What some paths led to before the files behind them were read: whether several files are of one moment.
///
/// A ConfigMap is changed by turning one link that all its files are behind. Whoever reads one file before that and the
/// next one after it has a mixture that nobody has written.
struct PathStats {
    private var seen: [String: FileStatus?] = [:]

    /// Records what a path leads to, before that is read.
    mutating func record(_ path: String) {
        if seen[path] == nil { seen[path] = .some(PathStats.status(path)) }
    }

    /// Whether all paths still lead to what they led to.
    var areStill: Bool { seen.allSatisfy { $0.value == PathStats.status($0.key) } }

    private static func status(_ path: String) -> FileStatus? {
        do { return try SystemCalls.statusBehindLinks(path: path) } catch {
            // Reading it tells what is wrong.
            return nil
        }
    }

    /// Reads something until nothing has changed meanwhile, at most ten times.
    ///
    /// - Returns: what was read last, and what is wrong with it if it may be a mixture.
    static func still<Result>(
        of path: @autoclosure () -> String, _ read: (inout PathStats) -> Result
    ) -> (result: Result, doubt: DefaultsError?) {
        var attempts = 0
        while true {
            var stats = PathStats()
            let result = read(&stats)
            if stats.areStill { return (result, nil) }
            attempts += 1
            guard attempts == 10 else { continue }
            return (
                result,
                DefaultsError(
                    .ioFailure, path: path(),
                    underlyingDescription: "the files keep changing while they are read"
                ).advising("What was known goes on to count, and they are read again soon.")
            )
        }
    }
}

extension FileStatus {
    /// Whether the file was written so shortly ago that whoever writes it may not have finished.
    var isFresh: Bool {
        (-100_000_000...100_000_000).contains(SystemCalls.wallNanoseconds &- identity.modified)
    }
}
