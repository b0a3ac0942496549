import ArgumentParser
import DefaultsStore

/// `explain`: what each domain says of a key.
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what every domain has for a key, and which value counts.",
        discussion: """
            The domains stand in the order in which they are asked. A program may have more than this tool knows of: its \
            arguments, its transient values, its keys' own defaults. Exit status 1: none has a value.
            """)

    @Argument(help: "The key.", completion: .custom(Completion.keys))
    var key: String

    @OptionGroup var place: PlaceOptions
    @OptionGroup var domains: DomainOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let suite = try place.existing()
        try domains.add(to: suite)
        let explanations = suite.explain(key: key)
        if output.json {
            try Output.json(.array(explanations.map(Explain.json)))
        } else {
            try table(explanations).print()
        }
        if !explanations.contains(where: { Explain.counts($0) }) {
            // Throws if the file cannot be read, which "no such key" must not stand for.
            _ = try suite.storedObject()
            throw Failure(.noSuchKey, "no domain has a value for \(SafeText.name(key))")
        }
    }

    /// The domains that a tool can know of, in their order, also those that have nothing to say.
    private static let order: [DefaultsOrigin] = [
        .managed, .arguments, .environment, .transient, .stored, .registered,
    ]

    private func table(_ explanations: [DefaultsExplanation]) -> Table {
        var table = Table("", "DOMAIN", "VALUE", "PLACE", "")
        for origin in Explain.order {
            let own = explanations.filter { $0.origin == origin }
            for explanation in own {
                let counts = Explain.counts(explanation)
                table.add(
                    Table.Cell(counts ? "*" : " ", .strong),
                    Table.Cell(origin.description, counts ? .strong : nil),
                    Table.Cell(SafeText.escaped(explanation.text ?? "(no value)"), counts ? .value : .faint),
                    Table.Cell(SafeText.escaped(explanation.place.description), .faint),
                    Table.Cell(SafeText.escaped(explanation.outcome.description), counts ? .strong : .faint))
            }
            if own.isEmpty {
                table.add(
                    Table.Cell(" "), Table.Cell(origin.description, .faint), Table.Cell("-", .faint),
                    Table.Cell(""), Table.Cell(""))
            }
        }
        return table
    }

    private static func counts(_ explanation: DefaultsExplanation) -> Bool {
        explanation.outcome == .counts || explanation.outcome == .combined
    }

    private static func json(_ explanation: DefaultsExplanation) -> DefaultsValue {
        var (path, line, column): (DefaultsValue?, DefaultsValue?, DefaultsValue?)
        if case .file(let file, let row, let place) = explanation.place {
            (path, line, column) = (.string(file), .count(row), .count(place))
        }
        return .members([
            "domain": .string(explanation.origin.description), "text": explanation.text.map { .string($0) },
            "place": .string(explanation.place.description), "path": path, "line": line, "column": column,
            "outcome": .string(explanation.outcome.description), "counts": .bool(counts(explanation)),
        ])
    }
}
