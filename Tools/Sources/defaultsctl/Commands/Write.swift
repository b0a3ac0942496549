import ArgumentParser
import DefaultsStore

/// `write`: stores a value.
struct Write: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Store a value.",
        usage: "defaultsctl write <key> <value> [--type <type>] [--force] (--suite <name> | --file <path>)",
        discussion: """
            The value is JSON, or a bare word, which is a text: 0.5, true, '[1, 2]', '{"a": 1}', dark. With --type it is \
            what you say, or refused. Behind -- it may begin with a dash. A suite that is not there is made.

            What the schema that the settings name does not allow is refused, with status 65; "describe" says what it allows.
            """)

    @Argument(help: "The key.", completion: .custom(Completion.keys))
    var key: String

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("The value; - reads it from standard input.", valueName: "value"),
        completion: .custom(Completion.values))
    var values: [String] = []

    @Option(name: [.short, .long], help: "What the value is; \(ValueType.names).")
    var type: ValueType?

    @OptionGroup var place: PlaceOptions
    @OptionGroup var rules: RuleOptions

    /// Whether `--` stands in front of the value, to say that it is no option.
    ///
    /// Behind the key the parser takes it for one more value; before the key nothing but the command line has it. A value
    /// in front of the two dashes is not the last word.
    private var isMarked: Bool {
        let words = CommandLine.arguments
        return words.dropLast().contains("--") && words.last == values.last
    }

    func validate() throws {
        if let option = unknownOption {
            throw ValidationError(
                "\"write\" has no option \(SafeText.escaped(option)); where it is part of the value, quote the value and "
                    + "add --type string.")
        }
        let hasOne = values.count == 1 || (values.count == 2 && values.first == "--")
        guard hasOne || (values.isEmpty && type == .null) else {
            throw ValidationError(
                values.isEmpty
                    ? "Give a value."
                    : "Give one value; quote it where it has blanks, and add --type string where it begins with "
                        + "a dash.")
        }
        if let word = values.first, !isMarked, word.hasPrefix("-"), word != "-", type != .string,
            DefaultsNumber(word) == nil
        {
            throw ValidationError(
                "\"\(SafeText.escaped(word))\" looks like an option; to store it, add --type string.")
        }
    }

    /// A word beside the value that can only be meant as an option.
    private var unknownOption: String? {
        guard values.count > 1, values.first != "--" else { return nil }
        let words = values.filter {
            $0.hasPrefix("-") && $0 != "-" && $0 != "--" && DefaultsNumber($0) == nil
        }
        return words.first.map { String($0.prefix { $0 != "=" }) }
    }

    func run() throws {
        let word = values.last ?? "null"
        let isTyped = word != "-" || isMarked
        let text = isTyped ? word : try Write.withoutLastLineEnd(InputText.read("-"))
        let value = try ValueType.value(text, as: type, isTyped: isTyped)
        let suite = try place.writable()
        let rules = rules.rules(of: suite)
        try rules.check(DefaultsObject([(key: key, value: value)]))
        try suite.set(value, forKey: key)
        rules.noteUnknown([key])
        PlaceOptions.tellIfBehind(suite)
    }

    /// What a program prints ends with a line end that is not meant; of the two signs CR LF it is one `Character` too.
    private static func withoutLastLineEnd(_ text: String) -> String {
        text.last == "\n" || text.last == "\r\n" ? String(text.dropLast()) : text
    }
}

extension ValueType {
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
