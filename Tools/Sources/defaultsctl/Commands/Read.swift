import ArgumentParser
import DefaultsStore

/// `read`: the effective values.
struct Read: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the value of a key, or of all keys.",
        discussion: """
            A text is printed without quotes; use --json where a script has to tell a text from another value. The value \
            is the effective one: the administrator's, if there is one, counts before the stored one.
            """)

    @Argument(help: "The key; without one, all are printed.", completion: .custom(Completion.keys))
    var key: String?

    @OptionGroup var place: PlaceOptions
    @OptionGroup var domains: DomainOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let suite = try place.existing()
        try domains.add(to: suite)
        // Throws where the file cannot be read, which "no such key" must not stand for.
        let stored = try suite.storedObject()
        guard let key else { return try printAll(suite, stored) }
        guard let value = suite.value(forKey: key) else {
            throw Failure(
                .noSuchKey,
                "there is no value for \(SafeText.name(key))" + Nearest.hint(key, among: stored.map(\.key)))
        }
        if output.json { return try Output.json(value) }
        try Output.line(Shown.plain(value))
    }

    private func printAll(_ suite: DefaultsSuite, _ stored: DefaultsObject) throws {
        let names = stored.map(\.key)
        let others = suite.dictionaryRepresentation().keys.filter { stored[$0] == nil }.sorted()
        let values = (names + others).filter(DefaultsSuite.isSetting).compactMap { name in
            suite.value(forKey: name).map { (key: name, value: $0) }
        }
        if output.json { return try Output.json(.object(DefaultsObject(values))) }
        var table = Table("KEY", "VALUE", "")
        for (name, value) in values {
            let origin = suite.origin(ofKey: name).flatMap { $0 == .stored ? nil : $0.description } ?? ""
            table.add(
                Table.Cell(SafeText.name(name), .key), Table.Cell(JSONText.oneLine(value)),
                Table.Cell(origin, .faint))
        }
        try table.print()
    }
}
