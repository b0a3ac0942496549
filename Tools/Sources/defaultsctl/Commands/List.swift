import ArgumentParser
import DefaultsStore

/// `list`: the suites in a folder.
struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the suites in a folder.",
        discussion: "These are the folders that a program with this library has opened before.")

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The folder that holds the suites' folders.",
            discussion: "By default $XDG_CONFIG_HOME, else ~/.config.", valueName: "folder"),
        completion: .directory, transform: PathText.folder)
    var directory: String?

    @OptionGroup var output: OutputOptions

    func run() throws {
        var closed: [String] = []
        let names = try DefaultsSuite.names(in: directory) { closed.append($0.path ?? "") }
        if !closed.isEmpty {
            let folders = closed.prefix(5).joined(separator: ", ") + (closed.count > 5 ? ", ..." : "")
            Output.complain(
                "\(closed.count == 1 ? "a folder" : "\(closed.count) folders") may not be entered, and suites in "
                    + "\(closed.count == 1 ? "it" : "them") are not shown: \(folders)", as: "note")
        }
        let suites = try names.map { try Entry(name: $0, in: directory) }
        if output.json { return try Output.json(.array(suites.map(\.json))) }
        guard !suites.isEmpty else {
            let folder = try directory ?? DefaultsSuite.defaultDirectory()
            return Output.complain("there is no suite in \(folder)", as: "note")
        }
        var table = Table("SUITE", "KEYS", "SAVED", "FILE")
        for suite in suites { table.add(suite.cells) }
        try table.print()
    }

    /// What is shown of one suite.
    private struct Entry {
        let name: String
        let path: String
        let keys: Int?
        let isDamaged: Bool
        let saved: Int?
        let size: Int?

        init(name: String, in directory: String?) throws {
            let suite = try DefaultsSuite(
                name, in: directory, allowsInsecureDirectory: true, readOnly: true)
            // What is wrong with one of them is for "check" to tell.
            suite.onFailure = { _ in }
            self.name = name
            path = suite.path ?? ""
            do {
                keys = try suite.storedObject().filter { DefaultsSuite.isSetting($0.key) }.count
                isDamaged = false
            } catch {
                keys = nil
                // One that may only not be read may well be whole.
                isDamaged = Failure(error).status == .damaged
            }
            let status: System.Status?
            do { status = try System.status(path) } catch {
                // Where a link leads may not even be looked at, which is said of the keys.
                guard keys == nil else { throw error }
                status = nil
            }
            saved = status?.modified
            size = status?.size
        }

        var cells: [Table.Cell] {
            [
                Table.Cell(SafeText.name(name), .key),
                keys.map { Table.Cell("\($0)") } ?? Table.Cell(isDamaged ? "damaged" : "unreadable", .error),
                Table.Cell(saved.map(System.minute) ?? "not yet", .faint),
                Table.Cell(SafeText.escaped(path), .faint),
            ]
        }

        var json: DefaultsValue {
            .members([
                "name": .string(name), "path": .string(path), "keys": keys.map { .count($0) },
                "isDamaged": .bool(isDamaged), "size": size.map { .count($0) },
                "saved": saved.map { .string(System.date($0)) },
            ])
        }
    }
}
