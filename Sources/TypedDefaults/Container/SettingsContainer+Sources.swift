public import DefaultsStore

/// Default values from sources.
extension SettingsContainer {
    /// Reads sources one after the other into the container's suite, as the suite's own `read(sources:)` does.
    ///
    /// What a source has for a key nobody registered stays in the suite, and is not seen here.
    ///
    /// - Throws: `.sourceFailed`, naming every source that failed; the others have been read all the same.
    public func read(sources: any DefaultValueSource...) async throws(DefaultsError) {
        try await suite.read(sources: sources)
    }

    /// The same for sources in a list.
    public func read(sources: [any DefaultValueSource]) async throws(DefaultsError) {
        try await suite.read(sources: sources)
    }

    /// The same for callers that cannot wait.
    ///
    /// ```swift
    /// let shipped = DictionaryDefaultValueSource(["server.url": "http://localhost"], name: "shipped")
    /// SettingsContainer.shared.read(sources: shipped) { error in
    ///     if let error { print(error) }
    /// }
    /// ```
    ///
    /// - Parameter completion: called once, on a thread of the library's; nil where every source was read.
    public func read(
        sources: any DefaultValueSource..., completion: @escaping @Sendable (DefaultsError?) -> Void
    ) {
        suite.read(sources: sources, completion: completion)
    }

    /// The same for callers that cannot wait, and sources in a list.
    public func read(
        sources: [any DefaultValueSource], completion: @escaping @Sendable (DefaultsError?) -> Void
    ) {
        suite.read(sources: sources, completion: completion)
    }
}
