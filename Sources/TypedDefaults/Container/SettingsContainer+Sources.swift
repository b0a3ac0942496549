public import DefaultsStore

/// Default values from sources.
extension SettingsContainer {
    /// Reads sources one after the other into the container's suite, like the suite's own `read(sources:)`.
    ///
    /// What a source has for an unregistered key stays in the suite, and is not visible here.
    ///
    /// - Throws: `.sourceFailed`, naming every source that failed; the others have been read all the same.
    public func read(sources: any DefaultValueSource...) async throws(DefaultsError) {
        try await suite.read(sources: sources)
    }

    /// Does the same for an array of sources.
    public func read(sources: [any DefaultValueSource]) async throws(DefaultsError) {
        try await suite.read(sources: sources)
    }

    /// Does the same for callers that cannot wait.
    ///
    /// ```swift
    /// let shipped = DictionaryDefaultValueSource(["server.url": "http://localhost"], name: "shipped")
    /// SettingsContainer.shared.read(sources: shipped) { error in
    ///     if let error { print(error) }
    /// }
    /// ```
    ///
    /// - Parameter completion: called once, on a thread of the library's; nil if every source was read.
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
