import ArgumentParser
import DefaultsStore

/// `undo`: the value that a key had before.
struct Undo: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Give a key the stored value that it had before, and print it.",
        discussion: """
            Again, it goes back further; redo goes forward. Whoever has made the change, a program, this tool or a person \
            with an editor, it is taken back, as far as versions are kept: history --keep 50. Exit status 1: no version has \
            another value from before.
            """)

    @OptionGroup var step: StepOptions

    func run() throws {
        try step.run(orSay: "no version has another value from before") { suite throws(DefaultsError) in
            try suite.undo(forKey: step.key)
        }
    }
}

/// `redo`: takes back an `undo`.
struct Redo: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take back the last undo of a key, and print its value.",
        discussion:
            "Exit status 1: nothing was undone, or the key has got another value since."
    )

    @OptionGroup var step: StepOptions

    func run() throws {
        try step.run(orSay: "there is no undo of it to take back") {
            suite throws(DefaultsError) in
            try suite.redo(forKey: step.key)
        }
    }
}

/// What `undo` and `redo` share.
struct StepOptions: ParsableArguments {
    @Argument(help: "The key.", completion: .custom(Completion.formerKeys))
    var key: String

    @OptionGroup var place: PlaceOptions
    @OptionGroup var secrets: RevealOptions
    @OptionGroup var output: OutputOptions

    /// Takes a step and prints what the key has become.
    ///
    /// - Parameters:
    ///   - reason: why there may be none.
    ///   - step: the step, which returns whether there was one.
    func run(orSay reason: String, step: (DefaultsSuite) throws(DefaultsError) -> Bool) throws {
        let suite = try place.existingWritable()
        let before = try suite.storedObject()
        guard try step(suite) else {
            if try suite.history().isEmpty { throw Failure(.noSuchKey, VersionName.noneAreKept) }
            let hint = before[key] == nil ? Nearest.hint(key, among: before.map(\.key)) : ""
            throw Failure(.noSuchKey, "\(SafeText.name(key)) stays as it is: \(reason)\(hint)")
        }
        PlaceOptions.tellIfBehind(suite)
        guard let value = try suite.storedObject()[key] else {
            return Output.complain("\(SafeText.name(key)) is not stored any more", as: "note")
        }
        let hidden = try secrets.hidden(inVersionsOf: suite)
        guard !hidden.hides(key) else { return hidden.note([key]) }
        if output.json { return try Output.json(value) }
        try Output.line(Shown.plain(value))
    }
}
