import ArgumentParser
import DefaultsStore

/// `check`: whether the files are as they should be.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Look through the files of a suite, and repair what can be repaired.",
        discussion: """
            It looks whether the settings parse and name each key once, whose the files are and who may change them, what \
            a writer that died has left, and what the journal holds; and whether the values are what the program \
            expects, where --schema or the settings' own $schema member names a schema. Exit status 2: there are warnings \
            or errors; 77: this user may not use the files.

            What a schema asks for is looked at for five seconds; what takes longer is left, with a warning.

            --repair loses no byte: a file that does not parse is kept beside the new one, which has what can be read. \
            What never was a settings file is replaced with --force alone.
            """)

    @Flag(help: "Repair what can be repaired, then look again.")
    var repair = false

    @Flag(help: "Repair what never was a settings file too: an empty one takes its place.")
    var force = false

    @Option(
        help: ArgumentHelp(
            "A JSON Schema of the settings, as a program writes it with writeSchema(of:); else that which the settings name.",
            valueName: "path"),
        completion: .file(extensions: ["json"]), transform: PathText.file)
    var schema: String?

    @OptionGroup var place: PlaceOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let schema = try schema.map { try Schema(file: $0) }
        let suite = try place.existing(readOnly: !repair)
        // What is wrong is listed anyway.
        suite.onFailure = { _ in }
        if repair, !force, PlaceOptions.isForeign(suite.path) {
            throw Failure(
                .damaged,
                "\(suite.path ?? "") is no settings file, so nothing was changed; --force puts an empty one in its place, "
                    + "and keeps it beside that")
        }
        let own = repair ? try suite.repairFiles() : suite.inspectFiles()
        // On a thread of its own, because a pattern of a schema, which may be anybody's, cannot be stopped.
        let asked = System.value(withinSeconds: 5) {
            Result {
                try schema.map { try SchemaCheck(schema: $0, suite: suite).findings() }
                    ?? NamedSchema(suite: suite).findings()
            }
        }
        let findings = try own.map(Finding.init) + (asked?.get() ?? [Check.tooSlow(suite)])
        let isWell = !findings.contains { $0.severity > .note }
        if output.json {
            try Output.json(
                .members([
                    "path": suite.path.map { .string($0) }, "isWell": .bool(isWell),
                    "findings": .array(findings.map(\.json)),
                ]))
        } else {
            try findings.forEach { try $0.show() }
            if isWell { try Output.line(Colour.value("ok") + "  " + SafeText.escaped(suite.path ?? "")) }
            let isForeign = findings.contains { $0.category == DefaultsFinding.foreignFile }
            if findings.contains(where: \.isRepairable), !repair, !isForeign {
                Output.complain("check --repair mends some of it", as: "note")
            }
        }
        guard !isWell else { return }
        // What another user owns, other commands refuse to touch, and a repair too.
        let isClosed = findings.contains {
            $0.category == "insecureDirectory" && $0.severity == .error && !$0.isRepairable
        }
        throw Failure(isClosed ? .notAllowed : .damaged, nil)
    }

    private static func tooSlow(_ suite: DefaultsSuite) -> Finding {
        Finding(
            severity: .warning, category: "schema", path: suite.path ?? "",
            reason: "what the schema asks for takes longer than five seconds to check, so it was not checked")
    }
}
