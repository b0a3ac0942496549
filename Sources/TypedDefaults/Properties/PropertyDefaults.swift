import DefaultsStore

/// What an extension of `Defaults` says it brings: properties whose names are the keys.
///
/// ```swift
/// extension Defaults: PropertyDefaults {
///     var theme: String? { get { get() } nonmutating set { set(newValue) } }
///     var size: Int { get { get(or: 12) } nonmutating set { set(newValue) } }
/// }
///
/// Defaults.shared.theme = "dark"
/// try Defaults(suiteName: "local").size += 1
/// ```
///
/// Any protocol that refines it groups properties, a file-private one those of a file. The compiler refuses two
/// properties of one name in one scope; file-private ones of one name in two files are one key, and a clash of their
/// types is reported as `.conflictingKeys`. The way of declaring is PropertyKit's.
///
/// It asks for nothing, and is no protocol of its own: a program that makes a type of one module conform to a protocol
/// of the same module would be warned.
public typealias PropertyDefaults = Any

/// Reading and writing the property that calls.
extension Defaults {
    /// The property's stored value; nil where there is none, or where it does not decode, which is reported.
    ///
    /// - Parameter key: the key; by default the name of the property or function that calls.
    public func get<Value: Codable & Sendable>(key: String = #function) -> Value? {
        let key = PropertyKeys.key(key, of: Value.self, in: suite)
        key.noteTrackedRead()
        return suite[key]
    }

    /// The property's stored value, or the one given where there is none.
    ///
    /// Reading stores nothing: a program may change its default.
    public func get<Value: Codable & Sendable>(
        or defaultValue: @autoclosure () -> Value, key: String = #function
    ) -> Value {
        get(key: key) ?? defaultValue()
    }

    /// Stores the property's value; nil removes it.
    ///
    /// A failure is reported and leaves the old value.
    public func set<Value: Codable & Sendable>(_ value: Value?, key: String = #function) {
        suite[PropertyKeys.key(key, of: Value.self, in: suite)] = value
    }

    /// Stores the property's value, or the one given in place of nil.
    public func set<Value: Codable & Sendable>(
        _ value: Value?, or defaultValue: @autoclosure () -> Value, key: String = #function
    ) {
        set(value ?? defaultValue(), key: key)
    }
}
