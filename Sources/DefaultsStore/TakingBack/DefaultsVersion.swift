/// One version of a suite's settings file: a plain settings file, which people can open, compare and copy back.
public struct DefaultsVersion: Hashable, Sendable, Identifiable, CustomStringConvertible {
    let moment: VersionMoment
    /// When the version was stored, in UTC, as in `20261129T064012.123456Z`; the name of its file without `.json`.
    ///
    /// Identifiers are in the order of time.
    public var id: String { moment.id }
    /// When the version was stored, in seconds since 1970; `date` with `TypedDefaultsFoundation`.
    ///
    /// Of a save by hand, that is the time of the file.
    public var secondsSince1970: Double { Double(moment.microseconds) / 1_000_000 }
    /// The path of its file.
    public let path: String
    /// The size of its file, in bytes.
    public let size: Int

    /// The identifier.
    public var description: String { id }
}

extension VersionFolder {
    func version(_ entry: Entry) -> DefaultsVersion {
        DefaultsVersion(moment: entry.moment, path: path(of: entry.moment), size: entry.size)
    }
}
