public import DefaultsStore
import TypedDefaults

/// What is stored, and where.
extension SettingsManageable {
    /// Stores the properties that have changed since this process last loaded or updated the type.
    ///
    /// All of them are stored in one transaction; a property that is nil is removed, or stored as `null` if the initial
    /// values do not have it or nothing else would be left, so that it is nil when it is loaded again. A property that
    /// another process has changed in the meantime, and this one has not, keeps the other's value; so do the members of a
    /// property's object, and those that its type does not know. Before the first load every property is stored.
    ///
    /// What counts is what this process last saw by any value of the type. So use one value at a time, or `load()` each
    /// before you change it: an older one takes back what has changed since.
    ///
    /// - Guarantee: on return every process sees them, and they survive a kill.
    /// - Throws: `.encodingFailed`, `.locked` for a property that an administrator has set, and what
    ///   `DefaultsSuite.set(_:forKey:)` throws; nothing is stored then.
    public func update() throws(DefaultsError) {
        let whole = try WholeSettings.of(Self.self)
        try whole.update(Self.self, try WholeCoding.members(of: self, in: whole.suite))
    }

    /// Removes everything that is stored except `$schema`, `$migrations` and `$migrationLists`, which are not settings;
    /// the value stays as it is.
    ///
    /// The initial values are kept: `reset()` returns to them, even after this.
    public func delete() throws(DefaultsError) { try WholeSettings.of(Self.self).delete() }

    /// Returns what is stored, by the properties' names, without `$schema`, `$migrations` and `$migrationLists`, which
    /// are not settings.
    ///
    /// - Throws: `.malformedFile`, `.io`, `.insecureDirectory`: an empty dictionary means that nothing is stored.
    public func toDictionary() throws(DefaultsError) -> [String: DefaultsValue] {
        try Self.suite.storedSettings()
    }

    /// Returns the URL of the JSON file as text, `file:///home/ann/.config/player/PlayerSettings.json`; nil in
    /// memory, and if no file can be named.
    ///
    /// Text, because this module does not use Foundation: `URL(string:)` takes it. `suite.path` is the path.
    public func settingsURL() -> String? {
        do { return try Self.suite.path.map(fileURL) } catch {
            DefaultsSuite.standard.context.reportLasting(error, in: .values)
            return nil
        }
    }

    /// Prints the value's properties, one per line, in the order in which the type encodes them.
    public func describeSettings() throws(DefaultsError) {
        for (name, value) in try WholeCoding.members(of: self, in: Self.suite) {
            print("\(name): \(value.value)")
        }
    }
}

/// Returns a path as a URL.
private func fileURL(_ path: String) -> String {
    path.utf8.reduce(into: "file://") { text, byte in
        let isPlain =
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
                UInt8(ascii: "-"),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                true
            default: false
            }
        let digits = String(byte, radix: 16, uppercase: true)
        text += isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
    }
}
