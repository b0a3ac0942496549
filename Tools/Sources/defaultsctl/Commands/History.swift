import ArgumentParser
@_spi(TypedDefaults) import DefaultsStore

/// `history`: the versions of a settings file, and whether any are kept.
struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the versions of the settings, or the values that a key had, newest first.",
        discussion: """
            Versions are kept once --keep has asked for it; every program keeps them then, and the settings say so in \
            $history. Each is a plain settings file, which diff compares and restore brings back. Changes within about a \
            tenth of a second share a version. Where there are too many, those of the older half go first that are of the same \
            hour as another one, or of the same day.

            A line has a version's identifier, when it was stored, and its size in bytes; with a key, the value that it had \
            from then on. Exit status 1: no version has a value for the key.
            """)

    @Argument(
        help: "The key; without one, versions are listed.", completion: .custom(Completion.formerKeys))
    var key: String?

    @Option(help: ArgumentHelp("Keep at most so many versions from now on.", valueName: "n"))
    var keep: Int?

    @Option(
        help: ArgumentHelp(
            "With --keep: and at most so many bytes of them; by default 4 MiB.", valueName: "bytes"))
    var maxBytes: Int?

    @Flag(
        help:
            "With --keep: although versions have old values of secrets, too. It is asked for where the schema calls keys writeOnly."
    )
    var includingSecrets = false

    @Flag(help: "Keep no versions any more, and remove all that there are.")
    var off = false

    @OptionGroup var place: PlaceOptions
    @OptionGroup var secrets: RevealOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if keep != nil || off, key != nil {
            throw ValidationError("Versions are of all keys: give no key with --keep or --off.")
        }
        if keep != nil, off { throw ValidationError("Give either --keep or --off, not both.") }
        if keep == nil, maxBytes != nil || includingSecrets {
            throw ValidationError("--max-bytes and --including-secrets go with --keep.")
        }
        if let keep, keep < 1 { throw ValidationError("--keep has to be at least 1; --off keeps none.") }
        if let maxBytes, maxBytes < 1 { throw ValidationError("--max-bytes has to be at least 1.") }
    }

    func run() throws {
        if let limit { return try set(limit) }
        let suite = try place.existing()
        if let key { return try printValues(of: key, in: suite) }
        let versions = try suite.history()
        noteIfOff(suite, isEmpty: versions.isEmpty)
        if output.json { return try Output.json(.array(versions.map(History.json))) }
        var table = Table("VERSION", "STORED", "BYTES")
        for version in versions {
            table.add(History.cells(version) + [Table.Cell("\(version.size)", .faint)])
        }
        try table.print()
    }

    /// Says that no versions are kept, as after a repair of a file in which the end is lost.
    private func noteIfOff(_ suite: DefaultsSuite, isEmpty: Bool) {
        let stored: DefaultsObject
        do { stored = try suite.storedObject() } catch {
            // A file that cannot be read is warned of, and its versions are what is needed then.
            return
        }
        guard stored[DefaultsSuite.historyKey] == nil else { return }
        Output.complain(isEmpty ? VersionName.noneAreKept : VersionName.noMoreAreKept, as: "note")
    }

    private var limit: DefaultsHistoryLimit? {
        if off { return .off }
        guard let keep else { return nil }
        return maxBytes.map { .versions(keep, maximumBytes: $0) } ?? .versions(keep)
    }

    private func set(_ limit: DefaultsHistoryLimit) throws {
        let suite = try place.existingWritable()
        let stored = try suite.storedObject()
        if limit != .off, !includingSecrets {
            let names = HiddenValues(of: suite).keys(besides: stored.map(\.key)).map(SafeText.name)
            guard names.isEmpty else {
                throw Failure(
                    .notAllowed,
                    "versions would keep old values of what the schema has writeOnly (\(names.joined(separator: ", "))), so "
                        + "nothing was changed; say --including-secrets if that is meant")
            }
        }
        try suite.keepHistory(limit, includingSecrets: includingSecrets)
    }

    private func printValues(of key: String, in suite: DefaultsSuite) throws {
        let entries = try suite.history(forKey: key)
        guard entries.contains(where: \.isSet) else {
            guard !entries.isEmpty else { throw Failure(.noSuchKey, VersionName.noneAreKept) }
            let stored = try suite.storedObject()
            let hint = stored[key] == nil ? Nearest.hint(key, among: stored.map(\.key)) : ""
            throw Failure(.noSuchKey, "no version has a value for \(SafeText.name(key))\(hint)")
        }
        let isHidden = try secrets.hidden(inVersionsOf: suite).hides(key)
        if output.json {
            return try Output.json(
                .array(
                    entries.map { entry in
                        .members([
                            "version": .string(entry.version.id), "date": .string(entry.version.date),
                            "value": isHidden ? nil : entry.value, "isSet": .bool(entry.isSet),
                            "isHidden": isHidden ? true : nil,
                        ])
                    }))
        }
        var table = Table("VERSION", "STORED", "VALUE")
        for entry in entries {
            let text = isHidden && entry.isSet ? HiddenValues.mark : Shown.inLine(entry.value)
            table.add(History.cells(entry.version) + [Table.Cell(text, entry.isSet ? .value : .faint)])
        }
        try table.print()
    }

    private static func cells(_ version: DefaultsVersion) -> [Table.Cell] {
        [Table.Cell(version.id, .key), Table.Cell(System.second(version.seconds), .faint)]
    }

    private static func json(_ version: DefaultsVersion) -> DefaultsValue {
        .members([
            "id": .string(version.id), "date": .string(version.date), "path": .string(version.path),
            "size": .count(version.size),
        ])
    }
}

extension DefaultsVersion {
    fileprivate var seconds: Int { Int(secondsSince1970) }
    fileprivate var date: String { System.date(seconds) }
}
