import ArgumentParser
import DefaultsStore

/// `restore`: all keys as a version has them.
struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Store all keys as a version has them, in one transaction.",
        discussion: """
            What it does not have is removed; $schema and $history stay. Programs see all of it or nothing. It is a change \
            like any other, so that the settings of before have a version, too: "restore previous" takes it back.

            A version is named by \(VersionName.form). "restore previous" takes back the last change, of all its keys.
            """)

    @Argument(help: "The version.", completion: .custom(Completion.versions))
    var version: VersionName

    @Flag(help: "Only print what would change and what would be refused; the status is that of a restore.")
    var plan = false

    @OptionGroup var place: PlaceOptions
    @OptionGroup var secrets: RevealOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let suite = try plan ? place.existing() : place.existingWritable()
        // Throws where the file cannot be read, which "not stored" must not stand for.
        _ = try suite.storedObject()
        let draft = try suite.draft(restoring: version)
        if plan {
            return try draft.printPlan(hiding: secrets.hidden(inVersionsOf: suite), json: output.json)
        }
        // What it says is to be stored, whatever others have written in this moment.
        try draft.apply(overridingConflicts: true)
        PlaceOptions.tellIfBehind(suite)
        let changes = draft.changes
        let removed = changes.filter { $0.new == nil }.count
        let set = changes.count - removed
        if output.json {
            return try Output.json(.members(["set": .count(set), "removed": .count(removed)]))
        }
        try Output.line("\(set) set, \(removed) removed")
    }
}
