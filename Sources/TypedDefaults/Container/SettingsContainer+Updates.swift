public import DefaultsStore

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
        let core = suite.core
        return AsyncStream { continuation in
            let feed = DefaultValueFeed(core, continuation)
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
