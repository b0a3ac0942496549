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

    /// The keys of the suite that the line names, and those of its schema.
    @Sendable static func keys(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        offer(words) { suite in
            let stored = try suite.storedObject().map(\.key)
            guard case .found(let schema) = NamedSchema(suite: suite).lookUp() else { return stored }
            return stored + schema.keys.filter { DefaultsSuite.isSetting($0) && !stored.contains($0) }
        }
    }

    /// The values of the key in front of the value that is being typed, if the schema lists them.
    @Sendable static func values(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        guard let key = firstArgument(of: words) else { return [] }
        return offer(words) { suite in
            guard case .found(let schema) = NamedSchema(suite: suite).lookUp(),
                let property = schema.property(key)
            else { return [] }
            return KeyDescription.choices(property).map { $0.string ?? JSONText.oneLine($0) }
        }
    }

    /// The same, and the keys that one of its versions had.
    @Sendable static func formerKeys(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        offer(words) { suite in
            let stored = try suite.storedObject().map(\.key)
            let others = try suite.history().flatMap { version in
                // A version may be what somebody has saved with a mistake in it.
                do { return try suite.draft(restoring: version).changes.map(\.key) } catch { return [] }
            }
            return Set(stored + others).sorted()
        }
    }

    /// The versions of the suite that the line names.
    @Sendable static func versions(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        offer(words) { try $0.history().map(\.id) + [VersionName.latest, VersionName.previous] }
    }

    /// Names in the suite that the line names.
    private static func offer(
        _ words: [String], _ names: (DefaultsSuite) throws -> [String]
    ) -> [String] {
        do {
            let suite: DefaultsSuite
            if let file = option("file", "f", in: words) {
                suite = try DefaultsSuite(file: file, readOnly: true)
            } else if let name = option("suite", "s", in: words) {
                suite = try DefaultsSuite(
                    name, in: option("directory", "d", in: words), readOnly: true)
            } else {
                return []
            }
            guard let path = suite.path, try PlaceOptions.isThere(path) else { return [] }
            suite.onFailure = { _ in }
            return try names(suite).filter(isPlain)
        } catch {
            return []
        }
    }

    /// Whether a name can stand in a command line as it is, and is no text that any shell obeys.
    ///
    /// Bash expands the list that it is given: a command between backquotes would be run at the tabulator key, and the names
    /// may be those of a file that somebody else has written. So only characters that mean nothing to any shell are let
    /// through; to zsh a colon is the end of a name, and `=` at the beginning a command's path.
    private static func isPlain(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first != "-" else { return false }
        return name.unicodeScalars.allSatisfy(isPlain)
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", ".", "/", "-", "+", "@", "%", ",": true
        default: !scalar.isASCII && scalar.properties.isAlphabetic
        }
    }

    /// The first word behind the command that belongs to no option.
    private static func firstArgument(of words: [String]) -> String? {
        var isValue = false
        for word in words.dropFirst(2) {
            if !isValue, !word.hasPrefix("-") { return unquoted(word) }
            isValue = !isValue && optionsWithValues.contains(word)
        }
        return nil
    }

    private static let optionsWithValues: Set = [
        "-s", "--suite", "-d", "--directory", "-f", "--file", "-t", "--type",
    ]

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

    /// A word without its quotes: the shell hands it over as it was typed.
    private static func unquoted(_ word: String) -> String { word.filter { !"\"'\\".contains($0) } }
}
