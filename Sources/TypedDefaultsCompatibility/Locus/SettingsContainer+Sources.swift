public import DefaultsStore
public import TypedDefaults

/// Default values from sources.
extension SettingsContainer {
    /// Reads sources one after the other into the container's suite, like the suite's own `read(sources:)`.
    ///
    /// A source's value for an unregistered key stays in the suite, and is not visible here.
    ///
    /// - Throws: `.sourceFailed`, naming every source that failed; all other sources have been read.
    public func read(sources: any DefaultValueSource...) async throws(DefaultsError) {
        try await suite.read(sources: sources)
    }

    /// Reads an array of sources one after the other into the container's suite.
    ///
    /// The form with the sources as arguments is ``read(sources:)-(DefaultValueSource...)``.
    ///
    /// - Throws: `.sourceFailed`, naming every source that failed; all other sources have been read.
    public func read(sources: [any DefaultValueSource]) async throws(DefaultsError) {
        try await suite.read(sources: sources)
    }

    /// Reads sources in the background and calls a handler when all are read, for callers outside a task.
    ///
    /// ```swift
    /// let shipped = DictionaryDefaultValueSource(
    ///     ["server.url": "http://localhost"], name: "shipped")
    /// SettingsContainer.shared.read(sources: shipped) { error in
    ///     if let error { print(error) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - sources: the sources; the last one takes precedence.
    ///   - completion: called once, on a background thread; with nil if every source was read. If one source
    ///     has failed, it gets that source's own error; for several, a `DefaultsError` that names them all.
    public func read(
        sources: any DefaultValueSource..., completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        suite.readKeepingErrors(sources: sources, completion: completion)
    }

    /// Reads an array of sources in the background and calls a handler when all are read, for callers outside
    /// a task.
    ///
    /// - Parameters:
    ///   - sources: the sources; the last one takes precedence.
    ///   - completion: called once, on a background thread; with nil if every source was read. If one source
    ///     has failed, it gets that source's own error; for several, a `DefaultsError` that names them all.
    public func read(
        sources: [any DefaultValueSource], completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        suite.readKeepingErrors(sources: sources, completion: completion)
    }
}

/// A setting's key with its new default.
public typealias DefaultValueUpdate = (key: String, value: DefaultsValue)

extension SettingsContainer {
    /// The changes of the defaults of the container's settings.
    ///
    /// They change when sources are read or followed, and when `register(defaults:)` is called.
    ///
    /// ```swift
    /// let task = Task {
    ///     let updates = SettingsContainer.shared.defaultValueUpdates
    ///     for await (key, value) in updates { print(key, value) }
    /// }
    /// task.cancel()
    /// ```
    ///
    /// Each stream has every change since it was requested, in order, also of a default that a higher domain
    /// hides. A removed default is `null`. The stream ends when its consumer stops or is cancelled, on any
    /// thread. To follow a setting's value, observe its key in ``suite``.
    ///
    /// A secret key's default is here too, and is not left out where the pair is printed.
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
