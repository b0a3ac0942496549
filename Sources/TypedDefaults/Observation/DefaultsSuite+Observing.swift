public import DefaultsStore

/// Observation of typed keys in this suite.
extension DefaultsSuite {
    /// Calls a handler whenever the value of a key changes in this suite, whatever changed it.
    ///
    /// Events come in commit order, and each one's old value is the new value of the one before. No lock is held: the
    /// handler may read, write, observe and invalidate; what it writes is delivered after it returns.
    ///
    /// - Parameters:
    ///   - options: `.initial` for an event at once; changes carry both values in any case.
    ///   - delivery: where the handler is called; by default on the writing thread before the write that made the
    ///     change returns, unless another thread is just calling it, which then does so next; and on a background
    ///     thread for changes from outside the process.
    /// - Returns: the observation, which ends with its last reference unless it is tied to an object's life.
    public func observe<Value>(
        _ key: Defaults.Key<Value>, options: DefaultsObservationOptions = [.initial, .old, .new],
        on delivery: DefaultsDelivery = .immediate,
        handler: @escaping @Sendable (Defaults.KeyChange<Value>) -> Void
    ) -> DefaultsObservation {
        let chain = ValueChain(key, in: context)
        return context.observe([key.keyName], sendsInitial: options.contains(.initial), delivery: delivery) {
            notice, subscription in chain.notify(notice, to: subscription, handler)
        }
    }

    /// Does the same with a handler on the main actor.
    public func observe<Value>(
        _ key: Defaults.Key<Value>, options: DefaultsObservationOptions = [.initial, .old, .new],
        on delivery: Defaults.MainActorDelivery,
        handler: @escaping @MainActor @Sendable (Defaults.KeyChange<Value>) -> Void
    ) -> DefaultsObservation {
        observe(key, options: options, on: Defaults.MainActorDelivery.delivery) { change in
            MainActor.assumeIsolated { handler(change) }
        }
    }

    /// Calls a handler whenever one or more of some keys change in this suite: once for a whole transaction.
    public func observe(
        _ keys: [Defaults.AnyKey], options: DefaultsObservationOptions = [.initial],
        on delivery: DefaultsDelivery = .immediate, handler: @escaping @Sendable () -> Void
    ) -> DefaultsObservation {
        let context = context
        let filters = Dictionary(
            keys.map { ($0.keyName, $0.makeChangeFilter(in: context)) },
            uniquingKeysWith: { first, _ in first })
        return context.observe(
            keys.map(\.keyName), sendsInitial: options.contains(.initial), deliversValues: false,
            delivery: delivery
        ) { notice, subscription in
            let isChange = notice.isInitial || notice.entries.contains { filters[$0.key]?($0) ?? false }
            if isChange, subscription.isActive { handler() }
        }
    }

    /// Does the same for some keys, with a handler on the main actor.
    public func observe(
        _ keys: [Defaults.AnyKey], options: DefaultsObservationOptions = [.initial],
        on delivery: Defaults.MainActorDelivery, handler: @escaping @MainActor @Sendable () -> Void
    ) -> DefaultsObservation {
        observe(keys, options: options, on: Defaults.MainActorDelivery.delivery) {
            MainActor.assumeIsolated { handler() }
        }
    }

    /// Does the same with the keys as arguments: `suite.observe(.width, .height, options: []) { }`.
    public func observe(
        _ first: Defaults.AnyKey, _ second: Defaults.AnyKey, _ others: Defaults.AnyKey...,
        options: DefaultsObservationOptions = [.initial], on delivery: DefaultsDelivery = .immediate,
        handler: @escaping @Sendable () -> Void
    ) -> DefaultsObservation {
        observe([first, second] + others, options: options, on: delivery, handler: handler)
    }

    /// Does the same for keys as arguments, with a handler on the main actor.
    public func observe(
        _ first: Defaults.AnyKey, _ second: Defaults.AnyKey, _ others: Defaults.AnyKey...,
        options: DefaultsObservationOptions = [.initial], on delivery: Defaults.MainActorDelivery,
        handler: @escaping @MainActor @Sendable () -> Void
    ) -> DefaultsObservation {
        observe([first, second] + others, options: options, on: delivery, handler: handler)
    }
}

/// Observation without types, with a handler on the main actor.
extension DefaultsSuite {
    /// Does what `observe(key:options:on:handler:)` does, with a handler on the main actor: `on: .mainActor`.
    ///
    /// The initial event is the first one that the handler is called with there.
    public func observe(
        key: String, options: DefaultsObservationOptions = [.initial, .old, .new],
        on delivery: Defaults.MainActorDelivery,
        handler: @escaping @MainActor @Sendable (DefaultsChange) -> Void
    ) -> DefaultsObservation {
        observe(key: key, options: options, on: Defaults.MainActorDelivery.delivery) { change in
            MainActor.assumeIsolated { handler(change) }
        }
    }

    /// Does what `observeAll(options:on:handler:)` does, with a handler on the main actor: `on: .mainActor`.
    public func observeAll(
        options: DefaultsObservationOptions = [.initial], on delivery: Defaults.MainActorDelivery,
        handler: @escaping @MainActor @Sendable () -> Void
    ) -> DefaultsObservation {
        observeAll(options: options, on: Defaults.MainActorDelivery.delivery) {
            MainActor.assumeIsolated { handler() }
        }
    }

    /// Does what `observeAllChanges(options:on:handler:)` does, with a handler on the main actor: `on: .mainActor`.
    public func observeAllChanges(
        options: DefaultsObservationOptions = [.initial, .old, .new],
        on delivery: Defaults.MainActorDelivery,
        handler: @escaping @MainActor @Sendable ([DefaultsChange]) -> Void
    ) -> DefaultsObservation {
        observeAllChanges(options: options, on: Defaults.MainActorDelivery.delivery) { changes in
            MainActor.assumeIsolated { handler(changes) }
        }
    }
}
