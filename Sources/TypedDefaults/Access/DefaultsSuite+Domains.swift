public import DefaultsStore

/// Typed keys and transient values.
extension DefaultsSuite {
    /// Sets a value for as long as this process runs: above what is stored, and never written to the file.
    ///
    /// ```swift
    /// let verbose = Defaults.Key<Bool>("verbose", default: false)
    /// try verbose.suite.setTransient(verbose, to: true)
    /// ```
    ///
    /// Setting a key whose default is nil to nil removes the value, like ``removeTransient(_:)``.
    ///
    /// - Throws: `.locked` for an administrator's key, `.invalidValue`, `.encodingFailed`, `.invalidKey`,
    ///   `.valueTooLarge`; the previous value still counts then.
    public func setTransient<Value>(_ key: Defaults.Key<Value>, to value: Value) throws(DefaultsError) {
        try core.setTransient([(key.keyName, key.textToStore(value, in: core))])
    }

    /// Removes transient values, all together, so that the stored ones show again.
    ///
    /// - Throws: `.invalidValue` if a rule would be broken by that; then all of them stay.
    public func removeTransient(_ keys: Defaults.AnyKey...) throws(DefaultsError) {
        try core.setTransient(keys.map { ($0.keyName, nil) })
    }
}
