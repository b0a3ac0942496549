public import DefaultsStore

/// Typed keys and the values that live as long as the process.
extension DefaultsSuite {
    /// Sets a value for as long as this process runs: above what is stored, and never written to the file.
    ///
    /// ```swift
    /// let verbose = Defaults.Key<Bool>("verbose", default: false)
    /// try verbose.suite.setTransient(verbose, to: true)
    /// ```
    ///
    /// nil for an `OptionalKey` takes it away, as ``removeTransient(_:)`` does.
    ///
    /// - Throws: `.locked` for an administrator's key, `.invalidValue`, `.encodingFailed`, `.invalidKey`,
    ///   `.valueTooLarge`; the value before still counts.
    public func setTransient<Value>(_ key: Defaults.Key<Value>, to value: Value) throws(DefaultsError) {
        try core.setTransient(key.textToStore(value, in: core), forKey: key.keyName)
    }

    /// Takes transient values away, so that the stored ones show again.
    ///
    /// - Throws: `.invalidValue` where a rule would be broken by that.
    public func removeTransient(_ keys: Defaults.AnyKey...) throws(DefaultsError) {
        for key in keys { try core.setTransient(nil, forKey: key.keyName) }
    }
}
