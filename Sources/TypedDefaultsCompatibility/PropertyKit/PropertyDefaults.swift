import DefaultsStore
public import TypedDefaults

/// Marks an extension of `Defaults` with properties whose names are the keys.
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
/// types is reported as `.conflictingKeys`. A key of a property's name is the same value; what the suite knows of it,
/// such as its default, is then what the key says. A property keeps no suite open: keep the `Defaults` of one that is
/// used often. This way of declaring is PropertyKit's.
///
/// It requires nothing, and is not a protocol of its own, because a program that makes a type of another module
/// conform to a protocol of that module would get a warning.
public typealias PropertyDefaults = Any

/// Reading and writing the property from which these are called.
extension Defaults {
    /// Returns the property's stored value; nil if there is none, or if it does not decode, which is reported.
    ///
    /// - Parameter key: the key; by default the name of the calling property or function.
    public func get<Value: Codable & Sendable>(key: String = #function) -> Value? {
        let key = PropertyKeys.key(key, of: Value.self, in: suite)
        key.recordTrackedRead()
        return suite[key]
    }

    /// Returns the property's stored value, or the given one if there is none.
    ///
    /// Reading stores nothing, so a program may change its default.
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

    /// Stores the property's value, or the given one instead of nil.
    public func set<Value: Codable & Sendable>(
        _ value: Value?, or defaultValue: @autoclosure () -> Value, key: String = #function
    ) {
        set(value ?? defaultValue(), key: key)
    }
}
