#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Whole files.
extension System {
    /// The largest settings file or schema that is read, in bytes, as the library has it.
    static let greatestFile = 64 << 20

    /// What is asked of a file's state.
    struct Status {
        let size: Int
        let modified: Int
        let mode: UInt32
        let isFile: Bool
        let isFolder: Bool
    }

    /// The state of a file, links followed; nil where there is none.
    static func status(_ path: String) throws -> Status? {
        var result = stat()
        guard stat(path, &result) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw refusal("\(path) could not be looked at", errno)
        }
        return status(result)
    }

    /// The state of an open file.
    static func status(of file: Int32, _ name: String) throws -> Status {
        var result = stat()
        guard fstat(file, &result) == 0 else { throw refusal("\(name) could not be looked at", errno) }
        return status(result)
    }

    private static func status(_ result: stat) -> Status {
        #if canImport(Darwin)
            let modified = result.st_mtimespec.tv_sec
        #else
            let modified = result.st_mtim.tv_sec
        #endif
        return Status(
            size: Int(result.st_size), modified: Int(modified), mode: UInt32(result.st_mode) & 0o777,
            isFile: result.st_mode & S_IFMT == S_IFREG, isFolder: result.st_mode & S_IFMT == S_IFDIR)
    }

    /// The bytes of a file; nil where there is none.
    ///
    /// - Throws: also where that is more bytes than the limit.
    static func contents(_ path: String, limit: Int = .max) throws -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw refusal("\(path) could not be opened", errno)
        }
        defer { close(file) }
        return try readToEnd(file, path, limit: limit)
    }

    /// Writes a new file, for its owner alone, and waits until it is on the disk.
    ///
    /// - Throws: also where the name is taken; nothing half-written stays.
    static func make(_ path: String, _ bytes: [UInt8]) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw refusal("\(path) could not be made", errno) }
        defer { close(file) }
        do {
            try write(bytes, to: file)
            guard fchmod(file, 0o600) == 0, fsync(file) == 0 else {
                throw refusal("\(path) could not be written", errno)
            }
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Takes a file away, where it is still there.
    static func remove(_ path: String) { unlink(path) }

    /// Makes a folder of this program's own for a copy.
    static func makeTemporaryFolder() throws -> String {
        var pattern = Array(((environment("TMPDIR") ?? "/tmp") + "/defaultsctl-XXXXXX").utf8CString)
        guard let path = mkdtemp(&pattern) else { throw refusal("no temporary folder could be made", errno) }
        return String(cString: path)
    }

    /// Takes an empty folder away; one that is not empty stays.
    static func removeFolder(_ path: String) { rmdir(path) }

    /// The path with all links followed, also those of which the last leads to a file that is yet to be made.
    ///
    /// Of these at most eight, as the library follows them.
    static func withoutLinks(_ path: String) -> String {
        var path = path
        for _ in 0..<8 {
            if let resolved = realpath(path, nil) {
                defer { free(resolved) }
                return String(cString: resolved)
            }
            guard let target = linkTarget(path) else { return path }
            path = target.hasPrefix("/") ? target : parent(of: path) + "/" + target
        }
        return path
    }

    /// Where a link points; nil for what is none.
    private static func linkTarget(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(validating: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static func parent(of path: String) -> String {
        guard let slash = lastSlash(in: path), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    static func name(of path: String) -> String {
        String(path[(lastSlash(in: path).map(path.utf8.index(after:)) ?? path.startIndex)...])
    }

    /// As the system finds it, byte by byte: with an accent behind it, a slash is another `Character`.
    private static func lastSlash(in path: String) -> String.Index? {
        path.utf8.lastIndex(of: UInt8(ascii: "/"))
    }
}
