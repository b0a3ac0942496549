import ArgumentParser
@_spi(TypedDefaults) import DefaultsStore

/// A version as the command line names it: its identifier or the beginning of it, `latest`, or `previous`.
struct VersionName: ExpressibleByArgument {
    static let latest = "latest"
    static let previous = "previous"
    /// What a person who has to write one is told.
    static let form =
        "its identifier or the beginning of it, as history prints it; or latest; or previous, the newest that differs from what is stored"

    private let text: String

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        text = argument
    }

    /// - Throws: `.noSuchSuite` where it names none, or several.
    func version(in suite: DefaultsSuite) throws -> DefaultsVersion {
        let versions = try suite.history()
        guard let newest = versions.first else { throw Failure(.noSuchSuite, VersionName.noneAreKept) }
        if text == VersionName.latest { return newest }
        if text == VersionName.previous {
            // Not the second one: a person's save has no version before the next checkpoint.
            let last = try versions.first { version in
                try suite.draft(to: version).changes.contains { DefaultsSuite.isSetting($0.key) }
            }
            guard let last else {
                throw Failure(
                    .noSuchSuite,
                    "no version before the latest one, \(newest.id), differs from what is stored")
            }
            return last
        }
        let meant = versions.filter { $0.id.hasPrefix(text) }
        guard let only = meant.first else {
            let hint = Nearest.hint(
                text, among: versions.map(\.id) + [VersionName.latest, VersionName.previous])
            throw Failure(
                .noSuchSuite,
                "there is no version \(SafeText.name(text))"
                    + (hint.isEmpty ? "; \"history\" lists them" : hint))
        }
        guard meant.count == 1 else {
            throw Failure(
                .noSuchSuite,
                "\(meant.count) versions begin with \(SafeText.name(text)), from \(meant[meant.count - 1].id) to \(only.id); "
                    + "\"history\" lists them")
        }
        return only
    }

    static let noneAreKept =
        "no versions of this suite are kept; \"history --keep 50\" keeps them from then on"
    static let noMoreAreKept = "no more versions are kept; \"history --keep 50\" keeps them again"
}

extension DefaultsSuite {
    /// A draft of what differs from a version.
    func draft(restoring name: VersionName) throws -> DefaultsDraft {
        try draft(to: try name.version(in: self))
    }

    fileprivate func draft(to version: DefaultsVersion) throws -> DefaultsDraft {
        do { return try draft(restoring: version) } catch {
            // What mends a settings file does not mend a version.
            guard error.code == .malformedFile else { throw error }
            let place = "\(version.path):\(error.line ?? 1):\(error.column ?? 1)"
            throw Failure(
                .damaged,
                "the version cannot be read as settings: \(SafeText.escaped(place)): \(error.underlyingDescription ?? "")"
            )
        }
    }
}
