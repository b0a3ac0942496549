import ArgumentParser
import DefaultsStore

/// `check`: whether the files are as they should be.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Look through the files of a suite, and mend what can be mended.",
        discussion: """
            It looks whether the settings parse and name each key once, whose the files are and who may change them, what \
            a writer that died has left, and what the journal holds. Exit status 2: there are warnings or errors.

            --repair loses no byte: a file that does not parse is kept beside the new one, which has what can be read.
            """)

    @Flag(help: "Mend what can be mended, then look again.")
    var repair = false

    @OptionGroup var place: PlaceOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let suite = try place.existing()
        // What is wrong is listed anyway.
        suite.onFailure = { _ in }
        let findings = repair ? try suite.repair() : suite.inspect()
        let isWell = !findings.contains { $0.weight > .note }
        if output.json {
            try Output.json(
                .members([
                    "path": suite.path.map { .string($0) }, "isWell": .bool(isWell),
                    "findings": .array(findings.map(Check.json)),
                ]))
        } else {
            try findings.forEach(Check.show)
            if isWell { try Output.line(Colour.value("ok") + "  " + SafeText.escaped(suite.path ?? "")) }
            if findings.contains(where: \.isMendable), !repair {
                Output.complain("check --repair mends some of it", as: "note")
            }
        }
        if !isWell { throw Failure(.damaged, nil) }
    }

    private static func show(_ finding: DefaultsFinding) throws {
        let colours: [DefaultsFinding.Weight: Colour] = [.note: .faint, .warning: .warning, .error: .error]
        let place = finding.path + (finding.line.map { ":\($0):\(finding.column ?? 1)" } ?? "")
        let weight = colours[finding.weight]?("\(finding.weight):") ?? ""
        let key = finding.key.map { SafeText.name($0) + ": " } ?? ""
        try Output.line("\(weight) \(SafeText.escaped(place)): \(key)\(SafeText.escaped(finding.reason))")
        if let remedy = finding.remedy { try Output.line("    " + Colour.faint(remedy)) }
    }

    private static func json(_ finding: DefaultsFinding) -> DefaultsValue {
        .members([
            "weight": .string("\(finding.weight)"), "kind": .string(finding.kind),
            "path": .string(finding.path),
            "line": finding.line.map { .count($0) }, "column": finding.column.map { .count($0) },
            "key": finding.key.map { .string($0) }, "reason": .string(finding.reason),
            "remedy": finding.remedy.map { .string($0) }, "isMendable": .bool(finding.isMendable),
        ])
    }
}
