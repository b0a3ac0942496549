/// The command line: `--quality 0.5`, `--quality=0.5` or `-quality 0.5`.
struct ArgumentDomain: Sendable {
    /// One flag of the command line.
    struct Flag: Hashable, Sendable {
        /// Counted from 0, in the list that it came from.
        let index: Int
        /// As it was written, dashes included, without its value.
        let spelling: String
        let text: BareText

        var location: DefaultsExplanation.Location { .argument(index: index, flag: spelling) }
    }

    /// By name, in their order, at least one each: a list takes them all, any other key the last one.
    private(set) var flags: [KeyName: [Flag]] = [:]

    /// Reads a command line; words that belong to no flag are not ours.
    ///
    /// `--` ends it. A word that begins with a dash is a flag, unless it is a number or the dash alone.
    ///
    /// - Parameter names: the keys of flags that have other names than these.
    init(_ arguments: [String] = [], names: [String: String] = [:]) {
        for (index, argument) in arguments.enumerated() {
            if argument == "--" { break }
            guard let word = ArgumentDomain.flag(argument) else { continue }
            let (name, text) = ArgumentDomain.split(word)
            guard !name.isEmpty else { continue }
            let next = arguments.indices.contains(index + 1) ? arguments[index + 1] : nil
            let following = next.flatMap { $0 == "--" || ArgumentDomain.flag($0) != nil ? nil : $0 }
            let dashes = String(argument[..<word.startIndex])
            // As `UserDefaults` has it, the word after a flag with one dash is its value, whatever the type.
            let own = text ?? (dashes == "-" ? following : nil)
            flags[KeyName(names[String(name)] ?? String(name)), default: []].append(
                Flag(
                    index: index, spelling: dashes + name,
                    text: BareText(text: own, following: own == nil ? following : nil)))
        }
    }

    /// The later flags take precedence.
    func adding(_ later: ArgumentDomain) -> ArgumentDomain {
        var result = self
        result.flags.merge(later.flags) { _, new in new }
        return result
    }

    /// Without its dashes; nil for a word that is not a flag.
    private static func flag(_ argument: String) -> Substring? {
        let dashes = argument.utf8.prefix(2).prefix { $0 == UInt8(ascii: "-") }.count
        guard dashes > 0 else { return nil }
        let word = argument[argument.utf8.index(argument.startIndex, offsetBy: dashes)...]
        guard let first = word.unicodeScalars.first else { return nil }
        let isNumber = dashes == 1 && (("0"..."9").contains(first) || first == ".")
        return isNumber ? nil : word
    }

    private static func split(_ word: Substring) -> (name: Substring, text: String?) {
        // By its byte: together with a mark behind it, the sign is another character to Swift.
        guard let sign = word.utf8.firstIndex(of: UInt8(ascii: "=")) else { return (word, nil) }
        return (word[..<sign], String(word[word.utf8.index(after: sign)...]))
    }
}
