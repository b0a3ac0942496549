public import DefaultsStore

/// Observation of keys in their own suites.
extension Defaults {
    /// Calls a handler whenever the value of a key changes, whatever changed it: this process, another one, or a user
    /// with an editor.
    ///
    /// ```swift
    /// let quality = Defaults.Key<Double>("quality", default: 0.8)
    /// let observation = Defaults.observe(quality) { change in
    ///     print(change.oldValue, "->", change.newValue)
    /// }
    /// observation.invalidate()
    /// ```
    ///
    /// Events come in commit order, and each one's old value is the new value of the one before. No lock is held: the
    /// handler may read, write, observe and invalidate; what it writes is delivered after it returns.
    ///
    /// - Parameters:
    ///   - options: `.initial` for an event at once; changes carry both values in any case.
    ///   - delivery: where the handler is called; by default before the write that made the change returns, unless
    ///     another thread is just calling it, which then does so next; and on a background thread for changes from
    ///     outside the process.
    /// - Returns: the observation, which ends with its last reference unless it is tied to an object's life.
    public static func observe<Value>(
        _ key: Key<Value>, options: ObservationOptions = [.initial, .old, .new],
        on delivery: DefaultsDelivery = .immediate, handler: @escaping @Sendable (KeyChange<Value>) -> Void
    ) -> DefaultsObservation {
        key.suite.observe(key, options: options, on: delivery, handler: handler)
    }

    /// Does the same with a handler on the main actor: `on: .mainActor`.
    public static func observe<Value>(
        _ key: Key<Value>, options: ObservationOptions = [.initial, .old, .new],
        on delivery: MainActorDelivery,
        handler: @escaping @MainActor @Sendable (KeyChange<Value>) -> Void
    ) -> DefaultsObservation {
        key.suite.observe(key, options: options, on: delivery, handler: handler)
    }

    /// Calls a handler whenever one or more of some keys change: once for a whole transaction.
    ///
    /// Changes in several suites are delivered one suite at a time, possibly on several threads at once.
    public static func observe(
        _ keys: [AnyKey], options: ObservationOptions = [.initial],
        on delivery: DefaultsDelivery = .immediate,
        handler: @escaping @Sendable () -> Void
    ) -> DefaultsObservation {
        guard !keys.isEmpty else {
            // The initial event is sent all the same, by a suite that nobody can change and that opens no file.
            return DefaultsSuite.inMemory().observe(keys, options: options, on: delivery, handler: handler)
        }
        let bySuite = Dictionary(grouping: keys, by: \.suite)
        // There is one initial event for all suites, so one of them sends it, to the observer's own place: the last
        // one, when the others are observed already.
        let parts = bySuite.enumerated().map { place, group in
            group.key.observe(
                group.value, options: place == bySuite.count - 1 ? options : [], on: delivery,
                handler: handler)
        }
        return DefaultsObservation(joining: parts)
    }

    /// Does the same with the keys as arguments: `Defaults.observe(.width, .height, options: []) { }`.
    public static func observe(
        _ first: AnyKey, _ second: AnyKey, _ others: AnyKey..., options: ObservationOptions = [.initial],
        on delivery: DefaultsDelivery = .immediate, handler: @escaping @Sendable () -> Void
    ) -> DefaultsObservation {
        observe([first, second] + others, options: options, on: delivery, handler: handler)
    }

    /// Does the same with the label that sindresorhus/Defaults uses.
    public static func observe(
        keys: AnyKey..., options: ObservationOptions = [.initial], on delivery: DefaultsDelivery = .immediate,
        handler: @escaping @Sendable () -> Void
    ) -> DefaultsObservation {
        observe(keys, options: options, on: delivery, handler: handler)
    }

    /// Does the same with the label that sindresorhus/Defaults uses, and a handler on the main actor.
    public static func observe(
        keys: AnyKey..., options: ObservationOptions = [.initial], on delivery: MainActorDelivery,
        handler: @escaping @MainActor @Sendable () -> Void
    ) -> DefaultsObservation {
        observe(keys, options: options, on: delivery, handler: handler)
    }

    /// Does the same for an array of keys, with a handler on the main actor.
    public static func observe(
        _ keys: [AnyKey], options: ObservationOptions = [.initial], on delivery: MainActorDelivery,
        handler: @escaping @MainActor @Sendable () -> Void
    ) -> DefaultsObservation {
        observe(keys, options: options, on: MainActorDelivery.delivery) {
            MainActor.assumeIsolated { handler() }
        }
    }

    /// Does the same for keys as arguments, with a handler on the main actor.
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
    /// It nests, applies to the tasks that the body starts, and ends with a throw. The old value of an observer's
    /// next event is still the value that it received last. An observer that receives no values, and a tracking, hear
    /// the next change that is not quiet, even one back to what there was before the body.
    ///
    /// - Throws: what the body throws, as the type of error that it says.
    public static func withoutPropagation<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try Propagation.off(body)
    }

    /// Does the same for a body that suspends.
    public static func withoutPropagation<Result, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await Propagation.off(isolation: isolation, body)
    }
}
