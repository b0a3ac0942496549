import ArgumentParser
import DefaultsStore

/// Which suite a command is about: `--suite` with or without `--directory`, or `--file`.
struct PlaceOptions: ParsableArguments {
    @Option(
        name: [.short, .long], help: ArgumentHelp("The suite's name.", valueName: "name"),
        completion: .custom(Completion.suites))
    var suite: String?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The folder that holds the suites' folders.",
            discussion: "By default $XDG_CONFIG_HOME, else ~/.config.", valueName: "folder"),
        completion: .directory, transform: PathText.folder)
    var directory: String?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Any settings file, in place of a suite's.", valueName: "path"),
        completion: .file(extensions: ["json"]), transform: PathText.file)
    var file: String?

    @Flag(help: "Accept folders that everybody can write or that are another user's; root only reads there.")
    var allowInsecureDirectory = false

    func validate() throws {
        switch (suite, file) {
        case (nil, nil): throw ValidationError("Say which suite: --suite <name> or --file <path>.")
        case (.some, .some): throw ValidationError("Give either --suite or --file, not both.")
        default: break
        }
        if file != nil, directory != nil {
            throw ValidationError("--directory goes with --suite; --file is a whole path.")
        }
    }

    /// The suite, whether or not it is there.
    ///
    /// - Parameter readOnly: whether nothing is made beside its file.
    func any(readOnly: Bool) throws -> DefaultsSuite {
        let found =
            if let file {
                try DefaultsSuite(
                    file: file, allowsInsecureDirectory: allowInsecureDirectory, readOnly: readOnly)
            } else {
                try DefaultsSuite(
                    suite ?? "", in: directory, allowsInsecureDirectory: allowInsecureDirectory,
                    readOnly: readOnly)
            }
        found.onFailure = { Warnings.add($0) }
        return found
    }

    /// Brings the settings file up to date, and says where what was written is kept if that is not possible.
    static func tellIfBehind(_ suite: DefaultsSuite) {
        do { try suite.checkpoint() } catch {
            let reported = Warnings.take(besides: error).first
            // Whoever has the lock brings it in.
            if error.code == .lockTimeout { return }
            guard error.code == .malformedFile else {
                return Output.complain(
                    "the value is kept in the journal, and the settings file stays behind. \(error)",
                    as: "note")
            }
            let place = error.line.map { ":\($0):\(error.column ?? 1)" } ?? ""
            let reason = reported?.underlyingDescription.map { " (\($0))" } ?? ""
            Output.complain(
                "\(suite.path ?? "")\(place) is damaged\(reason), so the value is kept in the journal until the file can be "
                    + "read: mend it with \"edit\", or have \"check --repair\" replace it and keep the original",
                as: "note")
        }
    }

    /// The suite, to be written to, whether or not it is there.
    ///
    /// - Throws: `.damaged` where something else is in the file's place, before a file is made beside it.
    func writable() throws -> DefaultsSuite {
        let found = try any(readOnly: false)
        guard !PlaceOptions.isForeign(found.path) else {
            throw Failure(.damaged, "\(found.path ?? "") is no settings file, so nothing was written")
        }
        return found
    }

    /// The suite, which has to be there, to be written to.
    func existingWritable() throws -> DefaultsSuite {
        _ = try existing()
        return try writable()
    }

    /// Whether a file never was a settings file.
    static func isForeign(_ path: String?) -> Bool {
        guard let path else { return false }
        do {
            let suite = try DefaultsSuite(file: path, allowsInsecureDirectory: true, readOnly: true)
            return suite.inspectFiles().contains { $0.category == DefaultsFinding.foreignFile }
        } catch {
            // What is wrong with the path, the command itself says.
            return false
        }
    }

    /// The suite, which has to be there: asking for it must not make one.
    ///
    /// - Parameters:
    ///   - remedy: what to do where it is not.
    ///   - readOnly: whether nothing is made beside its file.
    func existing(
        orElse remedy: String = "\"write\" or \"load\" makes one", readOnly: Bool = true
    ) throws -> DefaultsSuite {
        let found = try any(readOnly: readOnly)
        guard let path = found.path, try PlaceOptions.isThere(path) == false else { return found }
        throw Failure(.noSuchSuite, "\(try absence(path)); \(remedy)")
    }

    /// Waits until the suite is there, and says so where it is not yet.
    ///
    /// By looking, since nobody may be told of a folder that is not there.
    ///
    /// - Parameter end: when to wait no longer.
    func waitUntilThere(until end: ContinuousClock.Instant? = nil) throws -> Presence {
        guard let path = try any(readOnly: true).path, try PlaceOptions.isThere(path) == false else {
            return .wasThere
        }
        Output.complain("\(try absence(path)) yet; waiting for it", as: "note")
        while try PlaceOptions.isThere(path) == false {
            if let end, ContinuousClock.now >= end { return .isNotThere }
            if System.wait(milliseconds: 50).isUnread { try System.endWithoutReader() }
        }
        return .hasCome
    }

    /// What a wait for a suite has come to.
    enum Presence { case wasThere, hasCome, isNotThere }

    /// That the suite is not there, and which are.
    private func absence(_ path: String) throws -> String {
        if file != nil { return "there is no file \(path)" }
        let folder = try directory ?? DefaultsSuite.defaultDirectory()
        return "there is no suite \(SafeText.name(suite ?? "")) in \(folder)\(try others(in: folder))"
    }

    private func others(in folder: String) throws -> String {
        let names = try DefaultsSuite.names(in: folder)
        guard !names.isEmpty else { return "" }
        let shown = names.prefix(5).map(SafeText.name).joined(separator: ", ")
        return " (there \(names.count == 1 ? "is" : "are") \(shown)\(names.count > 5 ? ", ..." : ""))"
    }

    /// Whether anything of a suite is at a settings file's path.
    ///
    /// Where that is a link, the suite has its other files beside the target, which a checkpoint is yet to make.
    static func isThere(_ path: String) throws -> Bool {
        let path = System.withoutLinks(path)
        let beside = System.parent(of: path) + "/." + System.name(of: path)
        for name in [path, beside + ".journal", beside + ".lock"] {
            if try System.status(name) != nil { return true }
        }
        return false
    }
}
