public import DefaultsStore

/// Observation of typed keys in this suite.
extension DefaultsSuite {
    /// Calls a handler whenever the value of a key changes in this suite, whatever changed it.
    ///
    /// Events come in commit order. Each one's old value is the new value of the one before. No lock is held,
    /// so the handler may read, write, observe and invalidate. What it writes is delivered after it returns.
    ///
    /// - Parameters:
    ///   - key: the key to observe.
    ///   - options: `.initial` for an event at once; changes carry both values in any case.
    ///   - delivery: where the handler is called. By default a write of this process calls it on the writing
    ///     thread, before the write returns; if another thread is already in the handler, that thread makes
    ///     the call. Changes from outside the process call it on a background thread.
    ///   - handler: called with each change.
    /// - Returns: the observation. It ends with its last reference, unless it is tied to an object's
    ///   lifetime.
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

    /// Calls a handler on the main actor whenever the value of a key changes in this suite: `on: .mainActor`.
    ///
    /// Events come as from ``observe(_:options:on:handler:)-(_,_,_,(Defaults.KeyChange<Value>)->Void)``.
    ///
    /// - Parameters:
    ///   - key: the key to observe.
    ///   - options: `.initial` for an event at once; changes carry both values in any case.
    ///   - delivery: `.mainActor`.
    ///   - handler: called with each change, on the main actor.
    /// - Returns: the observation. It ends with its last reference, unless it is tied to an object's
    ///   lifetime.
    public func observe<Value>(
        _ key: Defaults.Key<Value>, options: DefaultsObservationOptions = [.initial, .old, .new],
        on delivery: Defaults.MainActorDelivery,
        handler: @escaping @MainActor @Sendable (Defaults.KeyChange<Value>) -> Void
    ) -> DefaultsObservation {
        observe(key, options: options, on: Defaults.MainActorDelivery.delivery) { change in
            MainActor.assumeIsolated { handler(change) }
        }
    }

    /// Calls a handler once for each transaction that changes one or more of some keys in this suite.
    ///
    /// - Parameters:
    ///   - keys: the keys to observe in this suite.
    ///   - options: `.initial` for an event at once.
    ///   - delivery: where the handler is called; by default before the write returns.
    ///   - handler: called after each transaction that changes a key.
    /// - Returns: the observation. It ends with its last reference, unless it is tied to an object's
    ///   lifetime.
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

    /// Calls a handler on the main actor once for each transaction that changes one or more of some keys in
    /// this suite.
    ///
    /// Events come as from ``observe(_:options:on:handler:)-(_,_,_,()->Void)``.
    ///
    /// - Parameters:
    ///   - keys: the keys to observe in this suite.
    ///   - options: `.initial` for an event at once.
    ///   - delivery: `.mainActor`.
    ///   - handler: called after each transaction that changes a key, on the main actor.
    /// - Returns: the observation. It ends with its last reference, unless it is tied to an object's
    ///   lifetime.
    public func observe(
        _ keys: [Defaults.AnyKey], options: DefaultsObservationOptions = [.initial],
        on delivery: Defaults.MainActorDelivery, handler: @escaping @MainActor @Sendable () -> Void
    ) -> DefaultsObservation {
        observe(keys, options: options, on: Defaults.MainActorDelivery.delivery) {
            MainActor.assumeIsolated { handler() }
        }
    }

    /// Calls a handler once for each transaction that changes one or more of the keys in the argument list.
    ///
    /// ```swift
    /// let width = Defaults.Key<Int>("width", default: 800)
    /// let height = Defaults.Key<Int>("height", default: 600)
    /// let suite = DefaultsSuite.inMemory()
    /// let observation = suite.observe(width, height, options: []) {
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
    public func observe(
        _ first: Defaults.AnyKey, _ second: Defaults.AnyKey, _ others: Defaults.AnyKey...,
        options: DefaultsObservationOptions = [.initial], on delivery: DefaultsDelivery = .immediate,
        handler: @escaping @Sendable () -> Void
    ) -> DefaultsObservation {
        observe([first, second] + others, options: options, on: delivery, handler: handler)
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
    /// Calls a handler on the main actor whenever the value of a key, given by its name, changes in this
    /// suite.
    ///
    /// Events come as from `observe(forKey:options:on:handler:)`. The initial event is the first one that the
    /// main actor receives.
    ///
    /// - Parameters:
    ///   - key: the key's name.
    ///   - options: which values the changes carry, and whether the current one is delivered at once.
    ///   - delivery: `.mainActor`.
    ///   - handler: called with each change, on the main actor.
    /// - Returns: the observation. It ends with its last reference, unless it is tied to an object's
    ///   lifetime.
    public func observe(
        forKey key: String, options: DefaultsObservationOptions = [.initial, .old, .new],
        on delivery: Defaults.MainActorDelivery,
        handler: @escaping @MainActor @Sendable (DefaultsChange) -> Void
    ) -> DefaultsObservation {
        observe(forKey: key, options: options, on: Defaults.MainActorDelivery.delivery) { change in
            MainActor.assumeIsolated { handler(change) }
        }
    }

    /// Calls a handler on the main actor once for each transaction that changes an effective value of this
    /// suite.
    ///
    /// Events come as from `observeAll(options:on:handler:)`.
    ///
    /// - Parameters:
    ///   - options: `.initial` for an event at once.
    ///   - delivery: `.mainActor`.
    ///   - handler: called after each transaction, on the main actor.
    /// - Returns: the observation. It ends with its last reference, unless it is tied to an object's
    ///   lifetime.
    public func observeAll(
        options: DefaultsObservationOptions = [.initial], on delivery: Defaults.MainActorDelivery,
        handler: @escaping @MainActor @Sendable () -> Void
    ) -> DefaultsObservation {
        observeAll(options: options, on: Defaults.MainActorDelivery.delivery) {
            MainActor.assumeIsolated { handler() }
        }
    }

    /// Calls a handler on the main actor with the changes of each transaction of this suite.
    ///
    /// Events come as from `observeAll(options:on:handler:)`.
    ///
    /// - Parameters:
    ///   - options: which values the changes carry, and whether the current ones are delivered at once, by
    ///     key.
    ///   - delivery: `.mainActor`.
    ///   - handler: called with the changes of a transaction, on the main actor.
    /// - Returns: the observation. It ends with its last reference, unless it is tied to an object's
    ///   lifetime.
    public func observeAll(
        options: DefaultsObservationOptions = [.initial, .old, .new],
        on delivery: Defaults.MainActorDelivery,
        handler: @escaping @MainActor @Sendable ([DefaultsChange]) -> Void
    ) -> DefaultsObservation {
        observeAll(options: options, on: Defaults.MainActorDelivery.delivery) { changes in
            MainActor.assumeIsolated { handler(changes) }
        }
    }
}
