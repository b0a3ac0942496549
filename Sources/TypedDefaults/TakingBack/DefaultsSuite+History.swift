public import DefaultsStore

/// Typed keys and the versions of a suite.
extension DefaultsSuite {
    /// Returns the values that a key had, the newest first: one entry for each change of what is stored.
    ///
    /// - Throws: what `history(forKey:)` throws, which says more.
    public func history(of key: Defaults.AnyKey) throws(DefaultsError) -> [DefaultsHistoryEntry] {
        try history(forKey: key.name)
    }

    /// Gives a key the stored value that it had before the present one; again, it goes back further.
    ///
    /// ```swift
    /// let volume = Defaults.Key<Double>("volume", default: 0.5, suite: .inMemory())
    /// try volume.suite.undo(volume)
    /// ```
    ///
    /// - Returns: false if there is none.
    /// - Throws: what `undo(forKey:)` throws, which says more.
    @discardableResult
    public func undo(_ key: Defaults.AnyKey) throws(DefaultsError) -> Bool {
        key.register(in: context)
        return try undo(forKey: key.name)
    }

    /// Takes back what ``undo(_:)`` has taken back last.
    ///
    /// - Returns: false if there is nothing, or if the key has been set to another value since.
    /// - Throws: what `undo(forKey:)` throws.
    @discardableResult
    public func redo(_ key: Defaults.AnyKey) throws(DefaultsError) -> Bool {
        key.register(in: context)
        return try redo(forKey: key.name)
    }
}
