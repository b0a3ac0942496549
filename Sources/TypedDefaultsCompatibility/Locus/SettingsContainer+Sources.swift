public import DefaultsStore
public import TypedDefaults

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
    /// - Parameter completion: called once, on a thread of the library's; nil if every source was read. It is given what the
    ///   source has thrown, if one has failed; of several a `DefaultsError` that names them all.
    public func read(
        sources: any DefaultValueSource..., completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        suite.readKeepingErrors(sources: sources, completion: completion)
    }

    /// The same for callers that cannot wait, and sources in a list.
    public func read(
        sources: [any DefaultValueSource], completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        suite.readKeepingErrors(sources: sources, completion: completion)
    }
}

/// A setting's key with its new default.
public typealias DefaultValueUpdate = (key: String, value: DefaultsValue)

extension SettingsContainer {
    /// The defaults of the container's settings as they change: when sources are read or followed, and when
    /// `register(defaults:)` is called.
    ///
    /// ```swift
    /// let task = Task {
    ///     for await (key, value) in SettingsContainer.shared.defaultValueUpdates { print(key, value) }
    /// }
    /// task.cancel()
    /// ```
    ///
    /// Each stream has every change from when it was asked for, in order, also of a default that something above it
    /// hides. A default that is gone is `null`. A secret key's default is here too, and nothing leaves it out where the pair is printed. To follow what a setting's value is, observe its key in ``suite``.
    /// The stream ends when its consumer stops or is cancelled, on any thread.
    public var defaultValueUpdates: AsyncStream<DefaultValueUpdate> {
        let context = suite.context
        return AsyncStream { continuation in
            let feed = DefaultValueFeed(context, continuation)
            continuation.onTermination = { [weak self] _ in
                self?.forget(feed)
                feed.end()
            }
            let settings = state.withLock { state in
                state.feeds[ObjectIdentifier(feed)] = feed
                return Array(state.settings.values)
            }
            feed.follow(settings)
        }
    }

    private func forget(_ feed: DefaultValueFeed) {
        let forgotten = state.withLock { $0.feeds.removeValue(forKey: ObjectIdentifier(feed)) }
        withExtendedLifetime(forgotten) {}
    }
}
