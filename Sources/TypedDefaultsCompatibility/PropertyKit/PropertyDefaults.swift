import DefaultsStore
public import TypedDefaults

/// Marks an extension of `Defaults` with properties whose names are the keys.
///
/// ```swift
/// extension Defaults: PropertyDefaults {
///     var theme: String? {
///         get { get() }
///         nonmutating set { set(newValue) }
///     }
///     var size: Int {
///         get { get(or: 12) }
///         nonmutating set { set(newValue) }
///     }
/// }
///
/// Defaults.shared.theme = "dark"
/// try Defaults(suiteName: "local").size += 1
/// ```
///
/// A protocol that refines it groups properties; a file-private one groups those of a file. The compiler
/// refuses two properties with one name in one scope. File-private ones with one name in two files are one
/// key, and different types are reported as `.conflictingKeys`. A declared key with a property's name is the
/// same value, and its declaration, such as its default, applies in the suite. A property keeps no suite
/// open, so keep the `Defaults` of a suite that is used often. This way of declaring is PropertyKit's.
///
/// It is an alias and not a protocol, because a program that makes a type of another module conform to a
/// protocol of that module gets a warning.
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

    /// Stores the property's value, or another one instead of nil.
    ///
    /// - Parameters:
    ///   - value: the new value.
    ///   - defaultValue: the value to store if that is nil.
    ///   - key: the key; by default the name of the calling property or function.
    public func set<Value: Codable & Sendable>(
        _ value: Value?, or defaultValue: @autoclosure () -> Value, key: String = #function
    ) {
        set(value ?? defaultValue(), key: key)
    }
}
