import ArgumentParser
import DefaultsStore

/// `explain`: what each domain says of a key.
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what every domain has for a key, and which value applies.",
        discussion: """
            The domains stand in the order in which they are asked. A program may have more than this tool knows of: its \
            arguments, its transient values, its keys' own defaults. With --all, the value of each key that has one and the \
            domain it is from; "schema" is the default that the schema has. Exit status 1: none has a value.
            """)

    @Argument(help: "The key.", completion: .custom(Completion.keys))
    var key: String?

    @Flag(help: "All keys: where each value comes from.")
    var all = false

    @OptionGroup var place: PlaceOptions
    @OptionGroup var domains: DomainOptions
    @OptionGroup var secrets: RevealOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if (key == nil) != all { throw ValidationError("Say which key, or --all.") }
    }

    func run() throws {
        let suite = try place.existing()
        let defaults = try domains.add(to: suite)
        let hidden = secrets.hidden(in: suite)
        guard let key else { return try explainAll(suite, defaults, hidden) }
        let lines = lines(key, suite, defaults, hidden)
        if output.json {
            try Output.json(.array(lines.map(\.json)))
        } else {
            try table(lines).print()
        }
        if !lines.contains(where: \.applies) {
            // Throws if the file cannot be read, which "no such key" must not stand for.
            let stored = try suite.storedObject().map(\.key)
            throw Failure(
                .noSuchKey,
                "no domain has a value for \(SafeText.name(key))"
                    + NamedSchema(suite: suite).hint(key, among: stored))
        }
    }

    private func lines(
        _ key: String, _ suite: DefaultsSuite, _ defaults: DefaultsFile?, _ hidden: HiddenValues
    ) -> [Line] {
        suite.explain(forKey: key).map { explanation in
            Line(
                explanation: explanation, isHidden: hidden.hides(key),
                // What the tool has registered itself is that file's.
                location: explanation.location == .registration
                    ? defaults?.place(of: key) ?? .registration : explanation.location)
        }
    }

    private func explainAll(
        _ suite: DefaultsSuite, _ defaults: DefaultsFile?, _ hidden: HiddenValues
    ) throws {
        var known: [KeyDescription] = []
        if case .found(let schema) = NamedSchema(suite: suite).lookUp() {
            known = KeyDescription.all(in: schema)
        }
        let names = try suite.storedObject().map(\.key) + suite.dictionaryRepresentation().keys.sorted()
        var seen: Set<String> = []
        let keys = (known.map(\.key) + names).filter {
            DefaultsSuite.isSetting($0) && seen.insert($0).inserted
        }
        let standards = Dictionary(known.map { ($0.key, $0.standard) }) { first, _ in first }
        let rows = keys.compactMap { key -> Row? in
            // More than one applies where values of several domains are combined.
            let line = lines(key, suite, defaults, hidden).first(where: \.applies)
            let standard = standards[key] ?? .none
            return line == nil && standard == nil ? nil : Row(key: key, line: line, standard: standard)
        }
        if output.json { return try Output.json(.array(rows.map(\.json))) }
        var table = Table("KEY", "VALUE", "DOMAIN", "PLACE")
        for row in rows { table.add(row.cells) }
        try table.print()
    }

    /// What is shown of one of all keys: the domain that applies, else the schema's default.
    private struct Row {
        let key: String
        let line: Line?
        let standard: DefaultsValue?

        private var text: String { standard.map(JSONText.oneLine) ?? "" }

        var cells: [Table.Cell] {
            let name = Table.Cell(SafeText.name(key), .key)
            guard let line else {
                return [name, Table.Cell(text, .faint), Table.Cell("schema", .faint), Table.Cell("")]
            }
            // The value, the domain and the place.
            return [name] + [line.cells[2], line.cells[1], line.cells[3]]
        }

        var json: DefaultsValue {
            let rest: DefaultsValue =
                line?.json ?? .members(["domain": "schema", "text": .string(text), "applies": false])
            return .object(DefaultsObject([(key: "key", value: .string(key))] + Array(rest.object ?? [:])))
        }
    }

    /// The domains that a tool can know of, in their order, also those that have nothing to say.
    private static let order: [DefaultsDomain] = [
        .managed, .arguments, .environment, .transient, .stored, .registered,
    ]

    private func table(_ lines: [Line]) -> Table {
        var table = Table("", "DOMAIN", "VALUE", "PLACE", "")
        for domain in Explain.order {
            let own = lines.filter { $0.explanation.domain == domain }
            for line in own { table.add(line.cells) }
            if own.isEmpty {
                table.add([
                    Table.Cell(""), Table.Cell(domain.description, .faint), Table.Cell("-", .faint),
                    Table.Cell(""), Table.Cell(""),
                ])
            }
        }
        return table
    }

    /// What is shown of one domain.
    private struct Line {
        let explanation: DefaultsExplanation
        let isHidden: Bool
        let location: DefaultsExplanation.Location

        var applies: Bool { explanation.outcome == .applies || explanation.outcome == .combined }

        var cells: [Table.Cell] {
            let text = isHidden ? HiddenValues.mark : explanation.text ?? "(no value)"
            return [
                Table.Cell(applies ? "*" : "", .strong),
                Table.Cell(explanation.domain.description, applies ? .strong : nil),
                Table.Cell(SafeText.escaped(text), applies ? .value : .faint),
                Table.Cell(SafeText.escaped(location.description), .faint),
                Table.Cell(SafeText.escaped(explanation.outcome.description), applies ? .strong : .faint),
            ]
        }

        var json: DefaultsValue {
            var (path, line, column): (DefaultsValue?, DefaultsValue?, DefaultsValue?)
            if case .file(let file, let row, let position) = location {
                (path, line, column) = (.string(file), .count(row), .count(position))
            }
            return .members([
                "domain": .string(explanation.domain.description),
                "text": isHidden ? nil : explanation.text.map { .string($0) },
                "isHidden": isHidden ? true : nil, "location": .string(location.description), "path": path,
                "line": line, "column": column, "outcome": .string(explanation.outcome.description),
                "applies": .bool(applies),
            ])
        }
    }
}
