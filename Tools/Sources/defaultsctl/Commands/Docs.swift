import ArgumentParser
import DefaultsStore

/// `docs`: the schema as a page.
struct Docs: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print a table of all keys in Markdown, for a manual.",
        discussion: """
            It has what the schema says that the settings name: keys, allowed values, defaults and descriptions; nothing of \
            the settings themselves. Exit status 66: there is no schema.
            """)

    @Flag(help: "Print Markdown, which is the only form so far.")
    var markdown = false

    @OptionGroup var schema: SchemaOptions
    @OptionGroup var place: PlaceOptions

    func run() throws {
        let keys = KeyDescription.all(in: try schema.schema(of: place.existing()))
        try Output.line("| Key | Allowed | Default | Description |\n|---|---|---|---|")
        for key in keys {
            let standard = key.standard.map(JSONText.oneLine) ?? ""
            try Output.line(
                "| \(Markdown.code(SafeText.name(key.key))) | \(Markdown.text(key.allowed)) | \(Markdown.code(standard)) "
                    + "| \(Markdown.text(key.text ?? "")) |")
        }
    }
}

/// Text as the cell of a table in Markdown, in which nothing of it is markup.
enum Markdown {
    /// A text, on one line.
    static func text(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return SafeText.escaped(line).map { character in
            switch character {
            case "<": "&lt;"
            case "&": "&amp;"
            case "\\", "`", "*", "_", "[", "]", "|", "~", "#", "!": "\\\(character)"
            default: String(character)
            }
        }.joined()
    }

    /// A text as it is, between as many backquotes as it needs.
    static func code(_ text: String) -> String {
        guard !text.isEmpty else { return "" }
        var (longest, run) = (0, 0)
        for character in text {
            run = character == "`" ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        let room = text.hasPrefix("`") || text.hasSuffix("`") ? " " : ""
        // In a table a bar ends the cell, in code too.
        return fence + room + text.replacing("|", with: "\\|") + room + fence
    }
}
