import ArgumentParser
import DefaultsStore

/// `explain`: what each domain says of a key.
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what every domain has for a key, and which value applies.",
        discussion: """
            The domains stand in the order in which they are asked. A program may have more than this tool knows of: its \
            arguments, its transient values, its keys' own defaults. Exit status 1: none has a value.
            """)

    @Argument(help: "The key.", completion: .custom(Completion.keys))
    var key: String

    @OptionGroup var place: PlaceOptions
    @OptionGroup var domains: DomainOptions
    @OptionGroup var secrets: RevealOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let suite = try place.existing()
        let defaults = try domains.add(to: suite)
        let isHidden = secrets.hidden(in: suite).hides(key)
        let lines = suite.explain(forKey: key).map { explanation in
            Line(
                explanation: explanation, isHidden: isHidden,
                // What the tool has registered itself is that file's.
                location: explanation.location == .registration
                    ? defaults?.place(of: key) ?? .registration : explanation.location)
        }
        if output.json {
            try Output.json(.array(lines.map(\.json)))
        } else {
            try table(lines).print()
        }
        if !lines.contains(where: \.applies) {
            // Throws if the file cannot be read, which "no such key" must not stand for.
            _ = try suite.storedObject()
            throw Failure(.noSuchKey, "no domain has a value for \(SafeText.name(key))")
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
