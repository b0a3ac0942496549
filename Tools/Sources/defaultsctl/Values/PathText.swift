import ArgumentParser

/// Paths as they stand in the command line.
enum PathText {
    /// The path that is meant: one that begins with `~/` is in the home folder.
    ///
    /// The shell leaves the tilde alone in quotes and behind a `=`, and nobody means a folder of that name.
    @Sendable static func path(_ word: String) throws -> String {
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
