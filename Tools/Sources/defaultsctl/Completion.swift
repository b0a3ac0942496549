import DefaultsStore

/// What the shell offers at the tabulator key.
enum Completion {
    /// The names of suites.
    @Sendable static func suites(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        do { return try DefaultsSuite.names(in: option("directory", "d", in: words)).filter(isPlain) } catch {
            // A shell that is completing has no place for an error.
            return []
        }
    }

    /// The keys of the suite that the line names.
    @Sendable static func keys(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        do {
            let suite: DefaultsSuite
            if let file = option("file", "f", in: words) {
                suite = try DefaultsSuite(file: file)
            } else if let name = option("suite", "s", in: words) {
                suite = try DefaultsSuite(name, in: option("directory", "d", in: words))
            } else {
                return []
            }
            guard let path = suite.path, try PlaceOptions.isThere(path) else { return [] }
            suite.onFailure = { _ in }
            return try suite.storedObject().map(\.key).filter(isPlain)
        } catch {
            return []
        }
    }

    /// Whether a name can stand in a command line as it is.
    private static func isPlain(_ name: String) -> Bool {
        !name.unicodeScalars.contains { SafeText.isUnsafe($0) || $0.properties.isWhitespace || $0 == "$" }
    }

    /// The value of an option as it was typed: `--suite name`, `--suite=name`, `-s name`.
    private static func option(_ long: String, _ short: String, in words: [String]) -> String? {
        if let place = words.lastIndex(where: { $0 == "--\(long)" || $0 == "-\(short)" }),
            place + 1 < words.count
        {
            return unquoted(words[place + 1])
        }
        let start = "--\(long)="
        return words.last { $0.hasPrefix(start) }.map { unquoted(String($0.dropFirst(start.count))) }
    }

    private static func unquoted(_ word: String) -> String { word.filter { !"\"'\\".contains($0) } }
}
