import ArgumentParser
import DefaultsStore

/// `reset`: a group of keys back to their defaults.
struct Reset: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remove the stored values of a key and of those below it, and show what applies then.",
        discussion: """
            "reset editor" is about editor and about all keys that begin with it and go on with a sign that is no letter and \
            no digit, such as editor.font. It is one transaction. A line has the key, its value before and after. Exit status \
            1: none of them is stored.
            """)

    @Argument(help: "The beginning of the keys.", completion: .custom(Completion.keys))
    var prefix: String

    @Flag(help: "Only print what would change and what would be refused; the status is that of a reset.")
    var plan = false

    @OptionGroup var place: PlaceOptions
    @OptionGroup var secrets: RevealOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if prefix.isEmpty { throw ValidationError("Say with what the keys begin.") }
    }

    func run() throws {
        let suite = try plan ? place.existing() : place.existingWritable()
        let stored = try suite.storedObject().map(\.key)
        let keys = stored.filter { DefaultsSuite.isSetting($0) && isMeant($0) }
        guard !keys.isEmpty else {
            throw Failure(
                .noSuchKey,
                "no key that begins with \(SafeText.name(prefix)) is stored"
                    + Nearest.hint(prefix, among: stored))
        }
        let hidden = secrets.hidden(in: suite)
        var draft = suite.draft()
        for key in keys { draft.removeValue(forKey: key) }
        if plan { return try draft.printPlan(hiding: hidden, json: output.json) }
        try draft.apply(overridingConflicts: true)
        PlaceOptions.tellIfBehind(suite)
        let changes = draft.valueChanges.map {
            ValueChange(key: $0.key, old: $0.old, new: suite.value(forKey: $0.key) ?? standard($0.key, suite))
        }
        if output.json { return try Output.json(.array(changes.map { $0.json(hiding: hidden) })) }
        for change in changes { try Output.line(change.line(hiding: hidden)) }
    }

    private func isMeant(_ key: String) -> Bool {
        guard key.hasPrefix(prefix) else { return false }
        let isWhole = prefix.last.map { !$0.isLetter && !$0.isNumber } ?? false
        let next = key.dropFirst(prefix.count).first
        return isWhole || next.map { !$0.isLetter && !$0.isNumber } ?? true
    }

    private func standard(_ key: String, _ suite: DefaultsSuite) -> DefaultsValue? {
        guard case .found(let schema) = NamedSchema(suite: suite).lookUp() else { return .none }
        return KeyDescription(key, in: schema)?.standard
    }
}
