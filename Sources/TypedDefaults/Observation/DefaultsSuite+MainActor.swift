public import DefaultsStore

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
