import ArgumentParser

/// Paths as they stand in the command line.
enum PathText {
    /// The path of a file, which need not be there.
    ///
    /// - Throws: where a folder is there.
    @Sendable static func file(_ word: String) throws -> String {
        let path = try path(word)
        guard word != "-", isFolder(path) == true else { return path }
        throw ValidationError("\(path) is a folder; name a file in it.")
    }

    /// The path of a folder, which need not be there.
    ///
    /// - Throws: where something else is there.
    @Sendable static func folder(_ word: String) throws -> String {
        let path = try path(word)
        guard isFolder(path) == false else { return path }
        throw ValidationError("\(path) is no folder.")
    }

    /// Nil where nothing is there, or nothing that may be looked at: whoever uses it tells that.
    private static func isFolder(_ path: String) -> Bool? {
        do { return try System.status(path)?.isFolder } catch { return nil }
    }

    /// The path that is meant: one that begins with `~/` is in the home folder.
    ///
    /// The shell leaves the tilde alone in quotes and behind a `=`, and nobody means a folder of that name.
    private static func path(_ word: String) throws -> String {
        let first = word.utf8.prefix { $0 != UInt8(ascii: "/") }
        if first.elementsEqual("~".utf8) {
            guard let home = System.home else {
                throw ValidationError("There is no home folder; write out the path.")
            }
            return home + word.dropFirst()
        }
        if first.first == UInt8(ascii: "~"), first.endIndex != word.endIndex {
            throw ValidationError(
                "No path begins with the name of a user: write out the home folder, or ./\(word) for a folder that is "
                    + "named so.")
        }
        return word
    }
}
