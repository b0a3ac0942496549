import ArgumentParser
import DefaultsStore

/// `describe`: what the schema says of keys.
struct Describe: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what a key is for, which values it allows, its default and its value.",
        discussion: """
            This is what the schema says that the settings name; without a key, of all its keys. It may be older than the \
            program. Exit status 1: the schema has no such key; 66: there is no schema.
            """)

    @Argument(help: "The key; without one, all are listed.", completion: .custom(Completion.keys))
    var key: String?

    @OptionGroup var schema: SchemaOptions
    @OptionGroup var place: PlaceOptions
    @OptionGroup var domains: DomainOptions
    @OptionGroup var secrets: RevealOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let suite = try place.existing()
        try domains.add(to: suite)
        let schema = try schema.schema(of: suite)
        let list = KeyList(suite: suite, hidden: secrets.hidden(by: schema, in: suite))
        guard let key else { return try list.print(KeyDescription.all(in: schema), json: output.json) }
        guard let description = KeyDescription(key, in: schema) else {
            throw Failure(
                .noSuchKey,
                "the schema has no key \(SafeText.name(key))" + Nearest.hint(key, among: schema.keys))
        }
        if output.json { return try Output.json(list.json(description)) }
        try list.lines(description).forEach(Output.line)
    }
}

/// `find`: the keys that a text is about.
struct Find: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find keys by their names, descriptions, choices and values.",
        discussion: """
            Upper and lower case are the same. Keys that are stored and not in the schema are found too, and without a schema \
            those alone. A hidden value is not looked at. Exit status 1: nothing is found.
            """)

    @Argument(help: "The text.")
    var text: String

    @OptionGroup var place: PlaceOptions
    @OptionGroup var domains: DomainOptions
    @OptionGroup var secrets: RevealOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let suite = try place.existing()
        try domains.add(to: suite)
        let list = KeyList(suite: suite, hidden: secrets.hidden(in: suite))
        var known: [KeyDescription] = []
        if case .found(let schema) = NamedSchema(suite: suite).lookUp() {
            known = KeyDescription.all(in: schema)
        }
        let names = Set(known.map(\.key))
        let others = try suite.storedObject().map(\.key).filter {
            DefaultsSuite.isSetting($0) && !names.contains($0)
        }
        let found = (known + others.map(KeyDescription.init(unknown:))).filter { description in
            let values = description.listed + [list.value(of: description.key)].compactMap(\.self)
            let texts = [description.key, description.text] + values.map(JSONText.oneLine)
            return texts.compactMap(\.self).contains { $0.lowercased().contains(text.lowercased()) }
        }
        guard !found.isEmpty else { throw Failure(.noSuchKey, "nothing is about \(SafeText.name(text))") }
        try list.print(found, json: output.json)
    }
}

/// Keys with what a schema says of them, and their values.
struct KeyList {
    let suite: DefaultsSuite
    let hidden: HiddenValues

    /// The effective value; nil if there is none or it is not shown.
    func value(of key: String) -> DefaultsValue? { hidden.hides(key) ? .none : suite.value(forKey: key) }

    private func shown(_ key: String) -> String {
        guard let value = suite.value(forKey: key) else { return "" }
        return hidden.hides(key) ? HiddenValues.mark : JSONText.oneLine(value)
    }

    func print(_ keys: [KeyDescription], json isJSON: Bool) throws {
        if isJSON { return try Output.json(.array(keys.map(json))) }
        var table = Table("KEY", "VALUE", "DEFAULT", "ALLOWED", "DESCRIPTION")
        for key in keys {
            table.add([
                Table.Cell(SafeText.name(key.key), .key), Table.Cell(shown(key.key), .value),
                Table.Cell(key.standard.map(JSONText.oneLine) ?? "", .faint),
                Table.Cell(key.allowed, .faint), Table.Cell(SafeText.escaped(key.text ?? "")),
            ])
        }
        try table.print()
    }

    func json(_ key: KeyDescription) -> DefaultsValue {
        let isThere = suite.value(forKey: key.key) != nil
        let now: DefaultsValue = .members([
            "value": value(of: key.key), "isHidden": isThere && hidden.hides(key.key) ? true : nil,
            "domain": suite.domain(forKey: key.key).map { .string($0.description) },
        ])
        return .object(DefaultsObject(key.members + Array(now.object ?? [:])))
    }

    /// One key on lines of its own, for a person.
    func lines(_ key: KeyDescription) -> [String] {
        let domain = suite.domain(forKey: key.key).map { " (\($0))" } ?? ""
        let lines = [
            ("allowed", key.allowed), ("default", key.standard.map(JSONText.oneLine) ?? ""),
            ("value", shown(key.key) + domain),
        ]
        let text = (key.text ?? "").split(separator: "\n").map { "  " + SafeText.escaped(String($0)) }
        return [Colour.key(SafeText.name(key.key))] + text
            + lines.filter { !$0.1.isEmpty }.map { "  \(Colour.faint($0.0)): \($0.1)" }
    }
}
