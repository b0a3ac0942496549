public import DefaultsStore

/// Observation of keys in their own suites.
extension Defaults {
    /// Calls a handler whenever the value of a key changes.
    ///
    /// The change may come from this process, from another one, or from a user with an editor.
    ///
    /// ```swift
    /// let quality = Defaults.Key<Double>("quality", default: 0.8)
    /// let observation = Defaults.observe(quality) { change in
    ///     print(change.oldValue, "->", change.newValue)
    /// }
    /// observation.invalidate()
    /// ```
    ///
    /// Events come in commit order. Each one's old value is the new value of the one before. No lock is held,
    /// so the handler may read, write, observe and invalidate. What it writes is delivered after it returns.
    ///
    /// - Parameters:
    ///   - key: the key to observe, in its own suite.
    ///   - options: `.initial` for an event at once; changes carry both values in any case.
    ///   - delivery: where the handler is called. By default a write of this process calls it before the
    ///     write returns; if another thread is already in the handler, that thread makes the call. Changes
    ///     from outside the process call it on a background thread.
    ///   - handler: called with each change.
    /// - Returns: the observation. It ends with its last reference, unless it is tied to an object's
    ///   lifetime.
    public static func observe<Value>(
        _ key: Key<Value>, options: ObservationOptions = [.initial, .old, .new],
        on delivery: DefaultsDelivery = .immediate, handler: @escaping @Sendable (KeyChange<Value>) -> Void
    ) -> DefaultsObservation {
        key.suite.observe(key, options: options, on: delivery, handler: handler)
    }

    /// Calls a handler on the main actor whenever the value of a key changes: `on: .mainActor`.
    ///
    /// Events come as from ``observe(_:options:on:handler:)-(_,_,_,(Defaults.KeyChange<Value>)->Void)``.
    ///
    /// - Parameters:
    ///   - key: the key to observe, in its own suite.
    ///   - options: `.initial` for an event at once; changes carry both values in any case.
    ///   - delivery: `.mainActor`.
    ///   - handler: called with each change, on the main actor.
    /// - Returns: the observation. It ends with its last reference, unless it is tied to an object's
    ///   lifetime.
    public static func observe<Value>(
        _ key: Key<Value>, options: ObservationOptions = [.initial, .old, .new],
        on delivery: MainActorDelivery,
        handler: @escaping @MainActor @Sendable (KeyChange<Value>) -> Void
    ) -> DefaultsObservation {
        key.suite.observe(key, options: options, on: delivery, handler: handler)
    }

    /// Calls a handler once for each transaction that changes one or more of some keys.
    ///
    /// Changes in several suites are delivered one suite at a time, possibly on several threads at once.
    ///
    /// - Parameters:
    ///   - keys: the keys to observe, each in its own suite.
    ///   - options: `.initial` for an event at once.
    ///   - delivery: where the handler is called; by default before the write returns.
    ///   - handler: called after each transaction that changes a key.
    /// - Returns: the observation. It ends with its last reference, unless it is tied to an object's
    ///   lifetime.
    public static func observe(
        _ keys: [AnyKey], options: ObservationOptions = [.initial],
        on delivery: DefaultsDelivery = .immediate,
        handler: @escaping @Sendable () -> Void
    ) -> DefaultsObservation {
        guard !keys.isEmpty else {
            // The initial event is still sent, by an empty suite in memory.
            return DefaultsSuite.inMemory().observe(keys, options: options, on: delivery, handler: handler)
        }
        let bySuite = Dictionary(grouping: keys, by: \.suite)
        // One initial event for all suites: the last suite sends it, to the observer's own place, once the
        // others are observed.
        let parts = bySuite.enumerated().map { place, group in
            group.key.observe(
                group.value, options: place == bySuite.count - 1 ? options : [], on: delivery,
                handler: handler)
        }
        return DefaultsObservation(joining: parts)
    }

    /// Calls a handler once for each transaction that changes one or more of the keys in the argument list.
    ///
    /// ```swift
    /// let width = Defaults.Key<Int>("width", default: 800)
    /// let height = Defaults.Key<Int>("height", default: 600)
    /// let observation = Defaults.observe(width, height, options: []) {
    ///     print("another size")
    /// }
    /// observation.invalidate()
    /// ```
    ///
    /// Events come as from ``observe(_:options:on:handler:)-(_,_,_,()->Void)``.
    ///
    /// - Parameters:
    ///   - first: the first key.
    ///   - second: the second key.
    ///   - others: more keys.
    ///   - options: `.initial` for an event at once.
    ///   - delivery: where the handler is called; by default before the write returns.
    ///   - handler: called after each transaction that changes a key.
    /// - Returns: the observation. It ends with its last reference, unless it is tied to an object's
    ///   lifetime.
    public static func observe(
        _ first: AnyKey, _ second: AnyKey, _ others: AnyKey..., options: ObservationOptions = [.initial],
        on delivery: DefaultsDelivery = .immediate, handler: @escaping @Sendable () -> Void
    ) -> DefaultsObservation {
        observe([first, second] + others, options: options, on: delivery, handler: handler)
    }

    /// Calls a handler on the main actor once for each transaction that changes one or more of an array of
    /// keys.
    ///
    /// Events come as from ``observe(_:options:on:handler:)-(_,_,_,()->Void)``.
    ///
    /// - Parameters:
    ///   - keys: the keys to observe, each in its own suite.
    ///   - options: `.initial` for an event at once.
    ///   - delivery: `.mainActor`.
    ///   - handler: called after each transaction that changes a key, on the main actor.
    /// - Returns: the observation. It ends with its last reference, unless it is tied to an object's
    ///   lifetime.
    public static func observe(
        _ keys: [AnyKey], options: ObservationOptions = [.initial], on delivery: MainActorDelivery,
        handler: @escaping @MainActor @Sendable () -> Void
    ) -> DefaultsObservation {
        observe(keys, options: options, on: MainActorDelivery.delivery) {
            MainActor.assumeIsolated { handler() }
        }
    }

    /// Calls a handler on the main actor once for each transaction that changes one or more of the keys in
    /// the argument list.
    ///
    /// Events come as from ``observe(_:options:on:handler:)-(_,_,_,()->Void)``.
    ///
    /// - Parameters:
    ///   - first: the first key.
    ///   - second: the second key.
    ///   - others: more keys.
    ///   - options: `.initial` for an event at once.
    ///   - delivery: `.mainActor`.
    ///   - handler: called after each transaction that changes a key, on the main actor.
    /// - Returns: the observation. It ends with its last reference, unless it is tied to an object's
    ///   lifetime.
    public static func observe(
        _ first: AnyKey, _ second: AnyKey, _ others: AnyKey..., options: ObservationOptions = [.initial],
        on delivery: MainActorDelivery, handler: @escaping @MainActor @Sendable () -> Void
    ) -> DefaultsObservation {
        observe([first, second] + others, options: options, on: delivery, handler: handler)
    }
}

/// Writes that this process's observers are not notified of.
extension Defaults {
    /// Runs a body whose writes no observer of this process is notified of; other processes' observers are.
    ///
    /// It nests, applies to the tasks that the body starts, and ends when the body throws. The old value of
    /// an observer's next event is still the value that it received last. An observer without values, and a
    /// tracking, are notified of the next change after the body, even if that restores the value from before
    /// it.
    ///
    /// - Throws: what the body throws, with its type.
    public static func withoutPropagation<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try Propagation.off(body)
    }

    /// Runs an asynchronous body whose writes no observer of this process is notified of.
    ///
    /// It applies as far as ``withoutPropagation(_:)`` does.
    ///
    /// - Throws: what the body throws, with its type.
    public static func withoutPropagation<Result, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await Propagation.off(isolation: isolation, body)
    }
}
