public import DefaultsStore

/// Keys as asynchronous sequences.
///
/// `updates` keeps only the latest value, so a slow consumer skips values; `changes` keeps every event.
extension Defaults {
    /// Returns the values of a key as they change: the latest one whenever the consumer is ready for it.
    ///
    /// ```swift
    /// let quality = Defaults.Key<Double>("quality", default: 0.8)
    /// let task = Task {
    ///     for await value in Defaults.updates(quality) { print(value) }
    /// }
    /// task.cancel()
    /// ```
    ///
    /// The stream ends when its consumer stops or is cancelled, on any thread.
    ///
    /// - Parameters:
    ///   - key: the key to follow.
    ///   - initial: whether the current value comes first.
    public static func updates<Value>(_ key: Key<Value>, initial: Bool = true) -> AsyncStream<Value> {
        key.suite.updates(key, initial: initial)
    }

    /// Returns the changes of a key in commit order, buffered without a limit until the consumer takes them.
    ///
    /// They are the events of an observer. Each write of this process is one event. All writes of another
    /// process since the last read are one event, from the value delivered last to the latest one.
    ///
    /// - Parameters:
    ///   - key: the key to follow.
    ///   - initial: whether the current value comes first, as a change whose `isInitial` is true.
    public static func changes<Value>(_ key: Key<Value>, initial: Bool = false) -> AsyncStream<
        KeyChange<Value>
    > {
        key.suite.changes(key, initial: initial)
    }
}

extension DefaultsSuite {
    /// Returns the values of a key in this suite as they change, like `Defaults.updates(_:initial:)`.
    public func updates<Value>(_ key: Defaults.Key<Value>, initial: Bool = true) -> AsyncStream<Value> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let observation = observe(key, options: initial ? [.initial] : []) {
                continuation.yield($0.newValue)
            }
            continuation.onTermination = { _ in observation.invalidate() }
        }
    }

    /// Returns the changes of a key in this suite, like `Defaults.changes(_:initial:)`.
    public func changes<Value>(
        _ key: Defaults.Key<Value>, initial: Bool = false
    ) -> AsyncStream<Defaults.KeyChange<Value>> {
        AsyncStream { continuation in
            let observation = observe(key, options: initial ? [.initial] : []) { continuation.yield($0) }
            continuation.onTermination = { _ in observation.invalidate() }
        }
    }
}
