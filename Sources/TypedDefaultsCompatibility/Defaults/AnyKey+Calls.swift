public import TypedDefaults

/// Calls on a key, as sindresorhus/Defaults 4 to 9 have them.
extension Defaults.AnyKey {
    /// Removes the value that is stored for the key; a failure goes to the suite's `failures`.
    ///
    /// ```swift
    /// let volume = Defaults.Key<Double>("volume", default: 0.5)
    /// volume.reset()
    /// print(volume.isDefaultValue)
    /// ```
    public func reset() { Defaults.reset(self) }

    /// Whether the key's value is its default, whatever it comes from.
    public var isDefaultValue: Bool { Defaults.isDefaultValue(self) }
}
