public import DefaultsStore
public import TypedDefaults

/// The observation of several keys as sindresorhus/Defaults 3 spells it.
extension Defaults {
    /// Calls a handler whenever one or more of some keys change: once for a whole transaction.
    ///
    /// ```swift
    /// let width = Defaults.Key<Int>("width", default: 80)
    /// let height = Defaults.Key<Int>("height", default: 25)
    /// let observation = Defaults.observe(keys: width, height) {
    ///     print("one of them")
    /// }
    /// ```
    ///
    /// Without the label, `TypedDefaults` has it too: `Defaults.observe(width, height) { }`.
    ///
    /// - Parameters:
    ///   - options: `.initial` for a call at once.
    ///   - delivery: where the handler is called; by default on the thread that made the change.
    /// - Returns: the observation, which ends with its last reference unless it is tied to an object's life.
    public static func observe(
        keys: AnyKey..., options: ObservationOptions = [.initial], on delivery: DefaultsDelivery = .immediate,
        handler: @escaping @Sendable () -> Void
    ) -> DefaultsObservation {
        observe(keys, options: options, on: delivery, handler: handler)
    }

    /// Calls a handler on the main actor whenever one or more of some keys change: once for a whole transaction.
    ///
    /// - Parameters:
    ///   - options: `.initial` for a call at once.
    ///   - delivery: `.mainActor`.
    /// - Returns: the observation, which ends with its last reference unless it is tied to an object's life.
    public static func observe(
        keys: AnyKey..., options: ObservationOptions = [.initial], on delivery: MainActorDelivery,
        handler: @escaping @MainActor @Sendable () -> Void
    ) -> DefaultsObservation {
        observe(keys, options: options, on: delivery, handler: handler)
    }
}
