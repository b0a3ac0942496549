/// Storing what a variable of a plain type holds, as `UserDefaults` has it.
///
/// They are disfavoured and generic, so that a literal, and what begins with a dot, is a ``DefaultsValue`` as before.
extension DefaultsSuite {
    /// Stores a Boolean.
    ///
    /// Cost, guarantee and errors are those of the method for a ``DefaultsValue``.
    @_disfavoredOverload
    public func set(_ value: Bool, forKey key: String) throws(DefaultsError) {
        try set(DefaultsValue.bool(value), forKey: key)
    }

    /// Stores an integer.
    ///
    /// Cost, guarantee and errors are those of the method for a ``DefaultsValue``.
    @_disfavoredOverload
    public func set<Value: BinaryInteger>(_ value: Value, forKey key: String) throws(DefaultsError) {
        try set(DefaultsValue.number(DefaultsNumber(value)), forKey: key)
    }

    /// Stores a number, a `Float` with no more digits than it needs, and one that JSON does not have by its name.
    ///
    /// Cost, guarantee and errors are those of the method for a ``DefaultsValue``.
    @_disfavoredOverload
    public func set<Value: BinaryFloatingPoint>(_ value: Value, forKey key: String) throws(DefaultsError) {
        try set((value as? Float).map(DefaultsValue.init) ?? DefaultsValue(Double(value)), forKey: key)
    }

    /// Stores a text.
    ///
    /// Cost, guarantee and errors are those of the method for a ``DefaultsValue``.
    @_disfavoredOverload
    public func set<Text: StringProtocol>(_ value: Text, forKey key: String) throws(DefaultsError) {
        try set(DefaultsValue.string(String(value)), forKey: key)
    }
}
