public import DefaultsStore
import TypedDefaults

/// Loading.
extension SettingsManageable {
    /// Loads the stored properties into this value.
    ///
    /// The very first use stores the value, and keeps it as the initial one that `reset()` returns to. Three
    /// kinds of properties may be missing in the file:
    /// - One that a later version of the program added keeps its present value. The next `update()` stores it
    ///   if a new instance has another one.
    /// - One that was stored and was removed since, for example by `reset()` in another process, gets the
    ///   value of a new instance.
    /// - After `delete()` in another process all properties get the values of a new instance.
    ///
    /// Other domains take part as for any key, such as an argument or an administrator's file.
    ///
    /// - Throws: `.typeMismatch` for a property that does not decode, `.malformedFile`, and what
    ///   `DefaultsSuite.set(_:forKey:)` throws at the first use. The value stays as it is.
    public mutating func load() throws(DefaultsError) { assign(from: try loadedValue()) }

    /// Loads the stored properties into this value, with initial values from a JSON file or a property list.
    ///
    /// If nothing is stored yet, the file's members are stored. They become the initial values if none are
    /// kept yet. Properties that are not in the file keep their present value.
    ///
    /// - Parameter path: the file, a property list if its name ends in `.plist`. With nil it has the type's
    ///   name and is in the executable's folder: `PlayerSettings.json`, otherwise `PlayerSettings.plist`.
    /// - Throws: `.sourceFailed` for a file that cannot be used, with the path and with line and column of
    ///   the fault. `.typeMismatch` for a property in it that does not decode. And what `load()` throws. The
    ///   value stays as it is, and nothing is stored.
    public mutating func loadUsingSettingsFile(_ path: String? = nil) throws(DefaultsError) {
        assign(from: try loadedValue(usingSettingsFile: path))
    }

    /// Returns to the initial values, and stores them.
    ///
    /// A property that was added after these were kept gets the value of a new instance. Before the first
    /// load a new instance is the initial value.
    ///
    /// - Throws: `.typeMismatch` if the initial values do not decode, `.encodingFailed`, `.malformedFile`,
    ///   and what `DefaultsSuite.set(_:forKey:)` throws. The value and the stored properties stay as they
    ///   are.
    public mutating func reset() throws(DefaultsError) { assign(from: try Self.initialValueStored()) }
}

extension SettingsManageable where Self: AnyObject {
    /// Returns a new instance with the stored properties.
    ///
    /// - Throws: what `load()` throws.
    public static func loaded() throws(DefaultsError) -> Self { try Self().loadedValue() }

    /// Loads the stored properties into this object, as `load()` of a struct does.
    ///
    /// - Throws: what that throws; the object stays as it is.
    public func load() throws(DefaultsError) { take(try loadedValue()) }

    /// Loads the stored properties into this object, with initial values from a JSON file or a property list.
    ///
    /// It works as `loadUsingSettingsFile(_:)` of a struct.
    ///
    /// - Throws: what that throws; the object stays as it is.
    public func loadUsingSettingsFile(_ path: String? = nil) throws(DefaultsError) {
        take(try loadedValue(usingSettingsFile: path))
    }

    /// Returns this object to the initial values, and stores them, as `reset()` of a struct does.
    ///
    /// - Throws: what that throws; the object and the stored properties stay as they are.
    public func reset() throws(DefaultsError) { take(try Self.initialValueStored()) }

    private func take(_ other: Self) {
        // A requirement that structs share is called on a variable; a class's own method does not replace it.
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
