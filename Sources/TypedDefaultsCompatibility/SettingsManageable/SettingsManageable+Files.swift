public import DefaultsStore
import TypedDefaults

/// Storing, and the file.
extension SettingsManageable {
    /// Stores the properties that have changed since this process last loaded or updated the type.
    ///
    /// All of them are stored in one transaction. Before the first load every property is stored.
    ///
    /// - A property that is nil is removed. It is stored as `null` instead if the initial values do not have
    ///   it or nothing else would be left. So it is nil when it is loaded again.
    /// - A property that another process has changed meanwhile, and this one has not, keeps the other's
    ///   value. So do the members of a property's object, and members that its type does not know.
    ///
    /// A change is a difference from what this process last loaded or stored, by any value of the type. So
    /// use one value at a time, or `load()` each before you change it: an older one reverts later changes.
    ///
    /// - Guarantee: on return every process sees them, and they survive a kill.
    /// - Throws: `.encodingFailed`, `.locked` for a property that an administrator has set, and what
    ///   `DefaultsSuite.set(_:forKey:)` throws. Nothing is stored then.
    public func update() throws(DefaultsError) {
        let whole = try WholeSettings.of(Self.self)
        try whole.update(Self.self, try WholeCoding.members(of: self, in: whole.suite))
    }

    /// Removes all stored settings; the value stays as it is.
    ///
    /// `$schema`, `$migrations` and `$migrationLists` stay, which are not settings. The initial values are
    /// kept: `reset()` returns to them, even after this.
    ///
    /// - Throws: what `DefaultsSuite.removeAll()` throws; `.conflictingTypes` if another type has the file.
    ///   All settings are still stored then.
    public func delete() throws(DefaultsError) { try WholeSettings.of(Self.self).delete() }

    /// Returns the stored settings by the properties' names.
    ///
    /// `$schema`, `$migrations` and `$migrationLists` are left out, which are not settings.
    ///
    /// - Throws: `.malformedFile`, `.ioFailure`, `.insecureDirectory`: an empty dictionary means that nothing is
    ///   stored. `.conflictingTypes` if another type has the file.
    public func toDictionary() throws(DefaultsError) -> [String: DefaultsValue] {
        try Self.suite.storedSettings()
    }

    /// Returns the URL of the JSON file as text; nil in memory, and if no file can be named.
    ///
    /// For example `file:///home/ann/.config/player/PlayerSettings.json`. It is text, because this module
    /// does not use Foundation: pass it to `URL(string:)`. `suite.path` is the path.
    public func settingsURL() -> String? {
        do { return try Self.suite.path.map(fileURL) } catch {
            DefaultsSuite.standard.context.reportLasting(error, in: .values)
            return nil
        }
    }

    /// Prints the value's properties, one per line, in the order in which the type encodes them.
    ///
    /// - Throws: `.encodingFailed`, `.valueTooLarge` or `.invalidKey` for a value that cannot be encoded as
    ///   named members; `.conflictingTypes` if another type has the file.
    public func describeSettings() throws(DefaultsError) {
        for (name, value) in try WholeCoding.members(of: self, in: Self.suite) {
            print("\(name): \(value.value)")
        }
    }
}

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
