/// A path as a caller gives it: absolute, relative to the working directory, or in the user's home folder if it begins
/// with `~/`.
///
/// In a program's text no shell replaces the tilde, and nobody means a folder of that name.
enum GivenPath {
    /// - Parameters:
    ///   - suite: the suite in question, for the error.
    ///   - refusal: what a path is that begins with `~name/`.
    /// - Throws: `refusal`; `.ioFailure` if there is no home folder, or if the path is relative and the working directory is
    ///   gone or its own path is not UTF-8.
    static func absolute(
        _ path: String, suite: String? = nil, refusal: DefaultsError.Code = .ioFailure
    ) throws(DefaultsError) -> String {
        let first = path.utf8.prefix { $0 != UInt8(ascii: "/") }
        if first.elementsEqual("~".utf8) {
            return try home(suite: suite) + path.dropFirst()
        }
        if first.first == UInt8(ascii: "~"), first.endIndex != path.endIndex {
            throw DefaultsError(
                refusal, suite: suite, path: path,
                underlyingDescription: "no path begins with the name of a user: "
                    + "write out the home folder, or ./\(path) for a folder that is named so")
        }
        do { try SystemCalls.checkWorkingFolder(for: path) } catch {
            throw DefaultsError(.ioFailure, suite: suite, path: path, systemError: error)
        }
        return SystemCalls.absolute(path)
    }

    /// Returns the user's home folder: `$HOME` if it is absolute, otherwise what the user database says.
    static func home(suite: String? = nil) throws(DefaultsError) -> String {
        let home: String?
        do { home = try SystemCalls.path(inEnvironment: "HOME") ?? SystemCalls.homeOfUser } catch {
            throw DefaultsError(
                .ioFailure, suite: suite, systemError: error, underlyingDescription: "HOME is not UTF-8")
        }
        guard let home, SystemCalls.isAbsolute(home) else {
            throw DefaultsError(
                .ioFailure, suite: suite, underlyingDescription: "the user has no home folder")
        }
        return home
    }
}
