import ArgumentParser
@_spi(TypedDefaults) import DefaultsStore

/// `load`: stores the members of a JSON object in one transaction.
struct Load: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Store all members of a JSON object, in one transaction.",
        discussion: "A suite that is not there is made. Programs see all of it or nothing.")

    /// What becomes of stored keys that the object does not have.
    enum Manner: EnumerableFlag {
        case merge, replace

        static func help(for value: Manner) -> ArgumentHelp? {
            value == .merge
                ? "Keep stored keys that it does not have."
                : "Remove stored keys that it does not have, but not $schema, which names the schema, nor what that calls writeOnly."
        }
    }

    @Argument(
        help: "The file; - or nothing is standard input.", completion: .file(extensions: ["json"]),
        transform: PathText.file)
    var input: String = "-"

    @Flag var manner: Manner = .merge

    @OptionGroup var place: PlaceOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let members = try InputText.object(from: input)
        let suite = try place.writable()
        // A dump does not have them.
        let hidden =
            try manner == .replace && PlaceOptions.isThere(suite.path ?? "") ? HiddenValues(of: suite) : .none
        let counts = try suite.withTransaction { transaction in
            let stored = try suite.storedObject()
            let changed = members.filter { stored[$0.key] != $0.value }
            let others = stored.filter {
                members[$0.key] == nil && $0.key != DefaultsSuite.schemaKey && !hidden.hides($0.key)
            }
            let removed = manner == .replace ? others : []
            for member in changed { transaction[key: member.key] = member.value }
            for member in removed { transaction.removeValue(forKey: member.key) }
            return (set: changed.count, removed: removed.count, unchanged: members.count - changed.count)
        }
        if output.json {
            return try Output.json(
                .members([
                    "set": .count(counts.set), "removed": .count(counts.removed),
                    "unchanged": .count(counts.unchanged),
                ]))
        }
        try Output.line("\(counts.set) set, \(counts.removed) removed, \(counts.unchanged) unchanged")
    }
}
