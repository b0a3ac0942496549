import ArgumentParser
import DefaultsStore

/// `modify`: changes a value by what it is, in one transaction.
struct Modify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Change a value by what it is: add to a number, append to a list, turn a switch.",
        discussion: """
            It is one transaction: two that run at once lose nothing. Where there is no value yet, a number begins with 0, \
            a list empty, a switch off. The new value is printed; one that the schema which the settings name does not allow is \
            refused, with status 65.
            """)

    @Argument(help: "The key.", completion: .custom(Completion.keys))
    var key: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Add to a number; it may be negative.", valueName: "number"))
    var by: String?

    @Flag(help: "Add one to a number.")
    var increment = false

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Append to a list: JSON or a bare word; may be repeated.", valueName: "value"))
    var append: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Remove all equal elements from a list; may be repeated.", valueName: "value"))
    var remove: [String] = []

    @Flag(help: "Turn a switch: true becomes false, and false true.")
    var toggle = false

    @OptionGroup var place: PlaceOptions
    @OptionGroup var rules: RuleOptions
    @OptionGroup var secrets: RevealOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        let kinds = [by != nil, increment, !append.isEmpty || !remove.isEmpty, toggle].filter { $0 }.count
        guard kinds == 1 else {
            throw ValidationError("Say one change: --by, --increment, --toggle, or --append and --remove.")
        }
        if let by, DefaultsNumber(by) == nil { throw ValidationError("\"\(by)\" is no number.") }
    }

    func run() throws {
        let append = try append.map { try ValueType.value($0, as: nil) }
        let remove = try remove.map { try ValueType.value($0, as: nil) }
        let suite = try place.writable()
        let rules = rules.rules(of: suite)
        let value = try store(in: suite, by: rules) { try changed($0, append: append, remove: remove) }
        rules.noteUnknown([key])
        PlaceOptions.tellIfBehind(suite)
        let hidden = secrets.hidden(in: suite)
        guard !hidden.hides(key) else { return hidden.note([key]) }
        if output.json { return try Output.json(value) }
        try Output.line(Shown.plain(value))
    }

    /// Stores what a change makes of the present value, if the schema allows it.
    ///
    /// It is asked outside of the transaction, because its patterns may take seconds, and every writer would wait.
    private func store(
        in suite: DefaultsSuite, by rules: SchemaRules, _ change: (DefaultsValue?) throws -> DefaultsValue
    ) throws -> DefaultsValue {
        while true {
            let present = try suite.withTransaction { $0[key: key] }
            let value = try change(present)
            try rules.check(DefaultsObject([(key: key, value: value)]))
            let isStored = try suite.withTransaction { transaction in
                // Another program may have been faster: then its value is changed.
                guard transaction[key: key] == present else { return false }
                transaction[key: key] = value
                return true
            }
            if isStored { return value }
        }
    }

    private func changed(
        _ old: DefaultsValue?, append: [DefaultsValue], remove: [DefaultsValue]
    ) throws -> DefaultsValue {
        if toggle {
            guard let flag = (old ?? false).bool else { throw mismatch("true or false") }
            return .bool(!flag)
        }
        if let number = increment ? DefaultsNumber(1) : by.flatMap({ DefaultsNumber($0) }) {
            guard case .number(let present) = old ?? 0 else { throw mismatch("a number") }
            return try sum(present, number)
        }
        guard let list = (old ?? []).array else { throw mismatch("a list") }
        return .array(list.filter { !remove.contains($0) } + append)
    }

    /// The sum with every digit, or the nearest `Double` where that has too many.
    private func sum(_ left: DefaultsNumber, _ right: DefaultsNumber) throws -> DefaultsValue {
        if let exact = ExactSum.of(left, right) {
            let isOfPrograms = left.usualInteger != nil && right.usualInteger != nil
            // No type of theirs would hold it.
            if isOfPrograms, exact.isWhole, exact.usualInteger == nil { throw tooLarge }
            return .number(exact)
        }
        guard let one = left.double, let other = right.double, let sum = DefaultsNumber(one + other),
            left.exactly(Int128.self) == nil || right.exactly(Int128.self) == nil
        else { throw tooLarge }
        return .number(sum)
    }

    private var tooLarge: Failure {
        Failure(.unusableInput, "the sum for \(SafeText.name(key)) is too large; nothing was changed")
    }

    private func mismatch(_ type: String) -> Failure {
        Failure(
            .unusableInput,
            "the value of \(SafeText.name(key)) is not \(type), so nothing was changed; look at it with \"read\""
        )
    }
}
