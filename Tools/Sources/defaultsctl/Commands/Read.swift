import ArgumentParser
import DefaultsStore

/// `read`: the effective values.
struct Read: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the value of a key, or of all keys.",
        discussion: """
            A text is printed without quotes; use --json where a script has to tell a text from another value. The value \
            is the effective one: the administrator's, if there is one, takes precedence over the stored one. Of a key that \
            is not stored, a complaint says the schema's default; the exit status is 1.
            """)

    @Argument(help: "The key; without one, all are printed.", completion: .custom(Completion.keys))
    var key: String?

    @OptionGroup var place: PlaceOptions
    @OptionGroup var domains: DomainOptions
    @OptionGroup var secrets: RevealOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let suite = try place.existing()
        try domains.add(to: suite)
        // Throws where the file cannot be read, which "no such key" must not stand for.
        let stored = try suite.storedObject()
        let hidden = secrets.hidden(in: suite)
        guard let key else { return try printAll(suite, stored, hidden) }
        guard let value = suite.value(forKey: key) else {
            throw Failure(
                .noSuchKey,
                "there is no value for \(SafeText.name(key))"
                    + NamedSchema(suite: suite).hint(key, among: stored.map(\.key)))
        }
        guard !hidden.hides(key) else {
            throw Failure(
                .notAllowed,
                "the value of \(SafeText.name(key)) is not shown, because the schema has it writeOnly; --reveal shows it"
            )
        }
        if output.json { return try Output.json(value) }
        try Output.line(Shown.plain(value))
    }

    private func printAll(
        _ suite: DefaultsSuite, _ stored: DefaultsObject, _ hidden: HiddenValues
    ) throws {
        let names = stored.map(\.key)
        let others = suite.dictionaryRepresentation().keys.filter { stored[$0] == nil }.sorted()
        let values = (names + others).filter(DefaultsSuite.isSetting).compactMap { name in
            suite.value(forKey: name).map { (key: name, value: $0) }
        }
        if output.json {
            hidden.note(values.map(\.key))
            return try Output.json(.object(DefaultsObject(values.filter { !hidden.hides($0.key) })))
        }
        var table = Table("KEY", "VALUE", "")
        for (name, value) in values {
            let domain = suite.domain(forKey: name).flatMap { $0 == .stored ? nil : $0.description } ?? ""
            let text = hidden.hides(name) ? HiddenValues.mark : JSONText.oneLine(value)
            table.add([Table.Cell(SafeText.name(name), .key), Table.Cell(text), Table.Cell(domain, .faint)])
        }
        try table.print()
    }
}
