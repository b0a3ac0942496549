public import DefaultsStore

/// A property that stands for a key: reading it reads the key, changing it stores the value.
///
/// ```swift
/// struct Player {
///     @Default(.volume) var volume
/// }
/// extension Defaults.Keys {
///     static let volume = Key<Double>("volume", default: 0.5)
/// }
///
/// let player = Player()
/// player.volume += 0.1
/// player.$volume.reset()
/// ```
///
/// It works in structs, classes and actors, and in `@Observable` classes with `@ObservationIgnored`.
///
/// A read inside `withObservationTracking` is tracked, in any of them and on any thread. The tracking fires
/// after the key's next change in its suite, by this process, another one, an edited file or a source of
/// defaults.
///
/// A change between the read and the end of the tracked closure is noticed together with the next one. The
/// underlying observation begins with the first tracked read and ends soon after the last tracking. Other
/// reads start nothing.
@propertyWrapper
public struct Default<Value: Sendable>: Sendable {
    private let key: Defaults.Key<Value>

    /// Creates a property for a key in its own suite.
    public init(_ key: Defaults.Key<Value>) { self.key = key }

    /// The value of the key, like `Defaults[key]`.
    public var wrappedValue: Value {
        get {
            key.recordTrackedRead()
            return Defaults[key]
        }
        nonmutating set { Defaults[key] = newValue }
        nonmutating _modify { yield &Defaults[key] }
    }

    /// The operations of the key besides its value.
    public var projectedValue: Projection { Projection(key: key) }

    /// The type of `$property`.
    public struct Projection: Sendable {
        /// The key behind the property.
        public let key: Defaults.Key<Value>

        /// Removes the stored value.
        public func reset() { Defaults.reset(key) }

        /// Whether a value is stored, whatever it is.
        public var isSet: Bool { Defaults.isSet(key) }

        /// Whether the value equals the default: the registered one, else the key's own.
        public var isDefaultValue: Bool { Defaults.isDefaultValue(key) }

        /// The values as they change, the current one first.
        public var updates: AsyncStream<Value> { Defaults.updates(key) }

        /// Calls a handler whenever the value of the key changes, like
        /// `Defaults.observe(_:options:on:handler:)`.
        ///
        /// - Parameters:
        ///   - options: `.initial` for an event at once; changes carry both values in any case.
        ///   - delivery: where the handler is called; by default before the write returns.
        ///   - handler: called with each change.
        /// - Returns: the observation. It ends with its last reference, unless it is tied to an object's
        ///   lifetime.
        public func observe(
            options: Defaults.ObservationOptions = [.initial, .old, .new],
            on delivery: DefaultsDelivery = .immediate,
            handler: @escaping @Sendable (Defaults.KeyChange<Value>) -> Void
        ) -> DefaultsObservation {
            Defaults.observe(key, options: options, on: delivery, handler: handler)
        }

        /// Calls a handler on the main actor whenever the value of the key changes: `on: .mainActor`.
        ///
        /// - Parameters:
        ///   - options: `.initial` for an event at once; changes carry both values in any case.
        ///   - delivery: `.mainActor`.
        ///   - handler: called with each change, on the main actor.
        /// - Returns: the observation. It ends with its last reference, unless it is tied to an object's
        ///   lifetime.
        public func observe(
            options: Defaults.ObservationOptions = [.initial, .old, .new],
            on delivery: Defaults.MainActorDelivery,
            handler: @escaping @MainActor @Sendable (Defaults.KeyChange<Value>) -> Void
        ) -> DefaultsObservation {
            Defaults.observe(key, options: options, on: delivery, handler: handler)
        }
    }
}

extension Default {
    /// Explains that the key has the default.
    @available(
        *, unavailable, message: "the key has the default: write @Default(.key) var name, without a value"
    )
    public init<Other>(wrappedValue: Other, _ key: Defaults.Key<Value>) {
        preconditionFailure("unavailable: the compiler refuses every use")
    }
}
