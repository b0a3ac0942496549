/// A file that others own and this library only reads: what a source of default values reads, or the initial values
/// that come with a program.
///
/// Links are followed, because users link their configuration into place. Every failure is `.sourceFailed`
/// with the path, and with the system's error if there is one; a pipe, a device or a folder in the file's
/// place is refused and never waited for.
package struct ForeignFile: Hashable, Sendable {
    /// The largest file that is read, in bytes.
    package static let limit = 64 << 20

    /// As given.
    package let path: String
    private let resolved: Result<String, DefaultsError>

    /// Names a file, without touching it.
    ///
    /// A relative path is resolved against the current working directory, now. One that cannot be resolved is
    /// refused by every read.
    package init(_ path: String) {
        self.path = path
        resolved = Result { () throws(DefaultsError) in try GivenPath.absolute(path) }
    }

    /// The absolute path; that which was given if it cannot be resolved, where there is nothing to watch either.
    var absolutePath: String {
        switch resolved {
        case .success(let path): path
        case .failure: path
        }
    }

    /// Reads the whole file, again if it was changed while it was read, at most ten times.
    ///
    /// - Parameter limit: the most bytes that it may have.
    package func read(limit: Int = ForeignFile.limit) throws(DefaultsError) -> [UInt8] {
        guard !path.utf8.contains(0), !path.isEmpty else { throw failure("the path names no file") }
        do throws(DefaultsError) {
            let path = try resolved.get()
            // Checked before it is opened as well, because opening a device can have an effect.
            try check(try DefaultsError.reading(path, SystemCalls.statusBehindLinks(path: path)))
            let file = try DefaultsError.reading(path, SystemCalls.openFile(path))
            let status = try DefaultsError.reading(path, SystemCalls.status(of: file))
            return try RegularFile.readWhole(file, status, path, limit: limit, check: check).bytes
        } catch {
            throw DefaultsError(
                .sourceFailed, path: path, systemError: error.systemError,
                underlyingDescription: error.underlyingDescription)
        }
    }

    private func check(_ status: FileStatus) throws(DefaultsError) {
        if status.isDirectory { throw failure("it is a folder") }
        if !status.isRegular { throw failure("it is not a regular file") }
    }

    private func failure(_ reason: String) -> DefaultsError {
        DefaultsError(.sourceFailed, path: path, underlyingDescription: reason)
    }
}

extension ForeignFile {
    /// Next to the running program.
    package static func pathBesideExecutable(_ name: String) -> String {
        let program = SystemCalls.executablePath
        return (program.lastIndex(of: "/").map { program[...$0] } ?? "./") + name
    }

    package static func isMissing(_ path: String) throws(DefaultsError) -> Bool {
        let file = ForeignFile(path)
        do {
            _ = try SystemCalls.statusBehindLinks(path: file.absolutePath)
            return false
        } catch {
            if error.isMissing { return true }
            throw DefaultsError(.sourceFailed, path: path, systemError: error)
        }
    }

    /// Reads a file in a folder, under a name that leads nowhere else.
    ///
    /// - Parameter name: a name without a slash; a link under that name is refused.
    package static func read(
        _ name: String, inFolder folder: String, limit: Int
    ) throws(DefaultsError) -> [UInt8] {
        let file = ForeignFile(folder + "/" + name)
        let isName =
            !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == 0x2F || $0 == 0 }
        guard isName else { throw file.failure("the name leads out of its folder") }
        let isLink: Bool
        do { isLink = try SystemCalls.status(path: file.absolutePath).isSymbolicLink } catch {
            throw DefaultsError(.sourceFailed, path: file.path, systemError: error)
        }
        if isLink { throw file.failure("it is a link") }
        return try file.read(limit: limit)
    }
}
