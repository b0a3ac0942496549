public import DefaultsStore

/// Observation with `options:` after `on:`, where the compiler's own message would be about another function.
extension Defaults {
    /// Explains that `options:` comes before `on:`.
    @available(*, unavailable, message: "options: comes before on:")
    @_disfavoredOverload
    public static func observe<Value>(
        _ key: Key<Value>, on delivery: DefaultsDelivery, options: ObservationOptions,
        handler: @escaping @Sendable (KeyChange<Value>) -> Void
    ) -> DefaultsObservation {
        preconditionFailure("unavailable: the compiler refuses every use")
    }

    /// Explains that `options:` comes before `on:`, for a handler on the main actor.
    @available(*, unavailable, message: "options: comes before on:")
    @_disfavoredOverload
    public static func observe<Value>(
        _ key: Key<Value>, on delivery: MainActorDelivery, options: ObservationOptions,
        handler: @escaping @MainActor @Sendable (KeyChange<Value>) -> Void
    ) -> DefaultsObservation {
        preconditionFailure("unavailable: the compiler refuses every use")
    }

    /// Explains that `options:` comes before `on:`, for an array of keys.
    @available(*, unavailable, message: "options: comes before on:")
    @_disfavoredOverload
    public static func observe(
        _ keys: [AnyKey], on delivery: DefaultsDelivery, options: ObservationOptions,
        handler: @escaping @Sendable () -> Void
    ) -> DefaultsObservation {
        preconditionFailure("unavailable: the compiler refuses every use")
    }

    /// Explains that `options:` comes before `on:`, for an array of keys and a handler on the main actor.
    @available(*, unavailable, message: "options: comes before on:")
    @_disfavoredOverload
    public static func observe(
        _ keys: [AnyKey], on delivery: MainActorDelivery, options: ObservationOptions,
        handler: @escaping @MainActor @Sendable () -> Void
    ) -> DefaultsObservation {
        preconditionFailure("unavailable: the compiler refuses every use")
    }
}

extension DefaultsSuite {
    /// Explains that `options:` comes before `on:`.
    @available(*, unavailable, message: "options: comes before on:")
    @_disfavoredOverload
    public func observe<Value>(
        _ key: Defaults.Key<Value>, on delivery: DefaultsDelivery, options: DefaultsObservationOptions,
        handler: @escaping @Sendable (Defaults.KeyChange<Value>) -> Void
    ) -> DefaultsObservation {
        preconditionFailure("unavailable: the compiler refuses every use")
    }

    /// Explains that `options:` comes before `on:`, for a handler on the main actor.
    @available(*, unavailable, message: "options: comes before on:")
    @_disfavoredOverload
    public func observe<Value>(
        _ key: Defaults.Key<Value>, on delivery: Defaults.MainActorDelivery,
        options: DefaultsObservationOptions,
        handler: @escaping @MainActor @Sendable (Defaults.KeyChange<Value>) -> Void
    ) -> DefaultsObservation {
        preconditionFailure("unavailable: the compiler refuses every use")
    }

    /// Explains that `options:` comes before `on:`, for an array of keys.
    @available(*, unavailable, message: "options: comes before on:")
    @_disfavoredOverload
    public func observe(
        _ keys: [Defaults.AnyKey], on delivery: DefaultsDelivery, options: DefaultsObservationOptions,
        handler: @escaping @Sendable () -> Void
    ) -> DefaultsObservation {
        preconditionFailure("unavailable: the compiler refuses every use")
    }

    /// Explains that `options:` comes before `on:`, for an array of keys and a handler on the main actor.
    @available(*, unavailable, message: "options: comes before on:")
    @_disfavoredOverload
    public func observe(
        _ keys: [Defaults.AnyKey], on delivery: Defaults.MainActorDelivery,
        options: DefaultsObservationOptions, handler: @escaping @MainActor @Sendable () -> Void
    ) -> DefaultsObservation {
        preconditionFailure("unavailable: the compiler refuses every use")
    }
}
