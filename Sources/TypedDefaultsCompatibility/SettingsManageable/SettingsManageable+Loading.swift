public import DefaultsStore
import TypedDefaults

/// From what is stored to the value.
extension SettingsManageable {
    /// Takes over what is stored.
    ///
    /// The very first use stores the value, and keeps it as the initial one that `reset()` returns to. A property
    /// that the file does not have, because a later version of the program added it, keeps the value that it has, which
    /// the next `update()` stores if it is not a new instance's; one that was stored and was removed since, as `reset()`
    /// of another process does, has the value of a new instance. After `delete()` of another process all of them have.
    /// Other domains count as for any key: an argument, an administrator's file.
    ///
    /// - Throws: `.typeMismatch` for a property that does not decode, `.malformedFile`, and what
    ///   `DefaultsSuite.set(_:forKey:)` throws at the first use; the value stays as it is.
    public mutating func load() throws(DefaultsError) { assign(from: try loadedValue()) }

    /// Takes over what is stored, with a JSON file or a property list for the initial values.
    ///
    /// If nothing is stored yet, the file's members are stored; in any case they are the initial values if none are
    /// kept yet. Properties that the file does not name keep the value that they have.
    ///
    /// - Parameter path: the file, a property list if its name ends in `.plist`; nil for one of the type's name
    ///   beside the executable: `PlayerSettings.json`, otherwise `PlayerSettings.plist`.
    /// - Throws: `.sourceFailed` with the path, and with the line and column of what is damaged, for a file that
    ///   cannot be used; `.typeMismatch` for a property in it that does not decode; and what `load()` throws. The
    ///   value stays as it is, and nothing is stored.
    public mutating func loadUsingSettingsFile(_ path: String? = nil) throws(DefaultsError) {
        assign(from: try loadedValue(usingSettingsFile: path))
    }

    /// Returns to the initial values, and stores them.
    ///
    /// A property that was added after they were kept gets the value that it has in a new instance. Before the first
    /// load a new instance is the initial value.
    public mutating func reset() throws(DefaultsError) { assign(from: try Self.initialValueStored()) }
}

extension SettingsManageable where Self: AnyObject {
    /// Returns a new instance with what is stored.
    public static func loaded() throws(DefaultsError) -> Self { try Self().loadedValue() }

    /// Takes over what is stored, as for a struct.
    public func load() throws(DefaultsError) { take(try loadedValue()) }

    /// Takes over what is stored, with a JSON file or a property list for the initial values, as for a struct.
    public func loadUsingSettingsFile(_ path: String? = nil) throws(DefaultsError) {
        take(try loadedValue(usingSettingsFile: path))
    }

    /// Returns to the initial values, and stores them, as for a struct.
    public func reset() throws(DefaultsError) { take(try Self.initialValueStored()) }

    private func take(_ other: Self) {
        // A requirement that structs have too is called on a variable; a class's own method leaves it as it is.
        var instance = self
        instance.assign(from: other)
    }
}

extension SettingsManageable {
    private func loadedValue() throws(DefaultsError) -> Self {
        let whole = try WholeSettings.of(Self.self)
        let own = try WholeCoding.members(of: self, in: whole.suite)
        return try whole.load(Self.self, over: own)
    }

    private func loadedValue(usingSettingsFile path: String?) throws(DefaultsError) -> Self {
        let whole = try WholeSettings.of(Self.self)
        let own = try WholeCoding.members(of: self, in: whole.suite)
        let file =
            if let path { try WholeSettingsFile(path: path) } else {
                try WholeSettingsFile(besideExecutable: "\(Self.self)")
            }
        let members = own.overlaid(with: file.members)
        // Checked first, so that a file that does not fit leaves nothing behind.
        do { _ = try WholeCoding.value(Self.self, of: members, over: own, in: whole.suite) } catch {
            throw error.inFile(file.path)
        }
        return try whole.load(Self.self, over: members)
    }

    private static func initialValueStored() throws(DefaultsError) -> Self {
        let whole = try WholeSettings.of(Self.self)
        let own = try WholeCoding.members(of: Self(), in: whole.suite)
        return try whole.reset(Self.self, over: own)
    }
}
