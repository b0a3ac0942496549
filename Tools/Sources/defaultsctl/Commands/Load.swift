import ArgumentParser
@_spi(TypedDefaults) import DefaultsStore

/// `load`: stores the members of a JSON object in one transaction.
struct Load: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Store all members of a JSON object, in one transaction.",
        discussion: """
            A suite that is not there is made. Programs see all of it or nothing. Where the schema that the settings name does \
            not allow a value, nothing is stored, and the status is 65.
            """)

    /// What becomes of stored keys that the object does not have.
    enum Manner: EnumerableFlag {
        case merge, replace

        static func help(for value: Manner) -> ArgumentHelp? {
            value == .merge
                ? "Keep stored keys that it does not have."
                : "Remove stored keys that it does not have, but not $schema, which names the schema, nor what that calls writeOnly, nor $history."
        }
    }

    @Argument(
        help: "The file; - or nothing is standard input.", completion: .file(extensions: ["json"]),
        transform: PathText.file)
    var input: String = "-"

    @Flag var manner: Manner = .merge

    @Flag(help: "Only print what would change and what would be refused; the status is that of a load.")
    var plan = false

    @OptionGroup var place: PlaceOptions
    @OptionGroup var rules: RuleOptions
    @OptionGroup var secrets: RevealOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let members = try InputText.object(from: input)
        let suite = try plan ? planned() : place.writable()
        let isThere = try PlaceOptions.isThere(suite.path ?? "")
        let stored = try suite.storedObject()
        // A dump does not have them.
        let hidden = isThere ? HiddenValues(of: suite) : .none
        var draft = suite.draft()
        for member in members { draft.set(member.value, forKey: member.key) }
        let others = stored.filter {
            members[$0.key] == nil && $0.key != DefaultsSuite.schemaKey && $0.key != DefaultsSuite.historyKey
                && !hidden.hides($0.key)
        }
        if manner == .replace { for member in others { draft.removeValue(forKey: member.key) } }
        let rules = rules.rules(of: suite)
        if plan {
            return try draft.printPlan(
                hiding: secrets.reveal ? .none : hidden, refused: rules.refusals(of: members),
                json: output.json)
        }
        try rules.check(members)
        // What it says is to be stored, whatever others have written in this moment.
        try draft.apply(overridingConflicts: true)
        let changes = draft.changes
        rules.noteUnknown(changes.map(\.key))
        let removed = changes.filter { $0.new == nil }.count
        let set = changes.count - removed
        if output.json {
            return try Output.json(
                .members([
                    "set": .count(set), "removed": .count(removed), "unchanged": .count(members.count - set),
                ]))
        }
        try Output.line("\(set) set, \(removed) removed, \(members.count - set) unchanged")
    }

    /// The suite to look at; an empty one where there is none, since a plan makes nothing.
    private func planned() throws -> DefaultsSuite {
        let suite = try place.any(readOnly: true)
        return try PlaceOptions.isThere(suite.path ?? "") ? suite : .inMemory()
    }
}
