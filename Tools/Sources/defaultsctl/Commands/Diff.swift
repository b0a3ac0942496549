import ArgumentParser
import DefaultsStore

/// `diff`: what differs from a version.
struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what has changed since a version, or from one version to another.",
        discussion: """
            A line has a key, its value then, and its value now, or in the second version. Exit status 0: nothing differs; \
            1: something does.

            A version is named by \(VersionName.form). So "diff previous" shows the last change, a save by hand included.
            """)

    @Argument(help: "The version.", completion: .custom(Completion.versions))
    var version: VersionName

    @Argument(
        help: "A version to compare it with, in place of what is stored now.",
        completion: .custom(Completion.versions))
    var other: VersionName?

    @OptionGroup var place: PlaceOptions
    @OptionGroup var secrets: RevealOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let suite = try place.existing()
        // Throws where the file cannot be read, which "not stored" must not stand for.
        if other == nil { _ = try suite.storedObject() }
        let changes = try changes(in: suite).filter { DefaultsSuite.isSetting($0.key) }
        let hidden = try secrets.hidden(inVersionsOf: suite)
        if output.json {
            try Output.json(.array(changes.map { $0.json(hiding: hidden) }))
        } else {
            for change in changes { try Output.line(change.line(hiding: hidden)) }
        }
        if !changes.isEmpty { throw Failure(.different, nil) }
    }

    private func changes(in suite: DefaultsSuite) throws -> [ValueChange] {
        let before = try suite.draft(restoring: version).valueChanges
        guard let other else { return before.map { ValueChange(key: $0.key, old: $0.new, new: $0.old) } }
        let after = try suite.draft(restoring: other).valueChanges
        // What no draft changes is in both versions as it is stored.
        let (first, second) = (Diff.byKey(before), Diff.byKey(after))
        let keys = before.map(\.key) + after.map(\.key).filter { first[.string($0)] == nil }
        return keys.sorted().compactMap { key in
            let (old, new) = (first[.string(key)], second[.string(key)])
            let change = ValueChange(
                key: key, old: old == nil ? new?.old : old?.new, new: new == nil ? old?.old : new?.new)
            return change.old == change.new ? nil : change
        }
    }

    /// By the keys as values: keys differ by their bytes, and so do texts as values, but not as strings of Swift.
    private static func byKey(_ changes: [ValueChange]) -> [DefaultsValue: ValueChange] {
        Dictionary(changes.map { (.string($0.key), $0) }) { _, last in last }
    }
}
