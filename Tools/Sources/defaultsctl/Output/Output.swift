import DefaultsStore

/// Where the program prints: standard output for what was asked, standard error for what went wrong.
enum Output {
    /// Whether a person looks at standard output.
    static let isTerminal = System.isTerminal(System.output)

    /// Whether to colour it: on a terminal that can, unless `NO_COLOR` asks for none (no-color.org).
    static let hasColour = isTerminal && !System.isSet("NO_COLOR") && System.environment("TERM") != "dumb"

    /// Prints a line.
    static func line(_ text: String) throws {
        try System.write(text + "\n", to: System.output)
    }

    /// Prints a value as JSON, indented.
    static func json(_ value: DefaultsValue) throws { try line(JSONText.indented(value, colour: hasColour)) }

    /// Prints one value on one line, for scripts that read line by line.
    static func jsonLine(_ value: DefaultsValue) throws { try line(JSONText.oneLine(value)) }

    /// Says on standard error what went wrong.
    ///
    /// A refusal there has nowhere left to go.
    static func complain(_ message: String, as kind: String? = nil) {
        let prefix = kind.map { "defaultsctl: \($0): " } ?? "defaultsctl: "
        System.writeIfPossible(prefix + SafeText.lines(message) + "\n", to: System.errorOutput)
    }
}
