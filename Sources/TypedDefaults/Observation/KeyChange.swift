public import DefaultsStore

extension Defaults {
    /// One change of a key's value, or the value at the start of an observation.
    public struct KeyChange<Value: Sendable>: Sendable {
        /// The value before: the `newValue` that this observer received last.
        public let oldValue: Value
        /// The value now.
        public let newValue: Value
        /// Whether this is the event that `.initial` requests; then both values are the current one.
        public let isInitial: Bool
        /// What made the value change; `.thisProcess` for the initial event.
        public let cause: DefaultsChange.Cause
        /// Whether the key is declared secret.
        ///
        /// Both values are here then, but are left out where the change is printed.
        public internal(set) var isSecret = false

        package init(
            oldValue: Value, newValue: Value, isInitial: Bool, cause: DefaultsChange.Cause,
            isSecret: Bool = false
        ) {
            (self.oldValue, self.newValue) = (oldValue, newValue)
            (self.isInitial, self.cause, self.isSecret) = (isInitial, cause, isSecret)
        }
    }

    /// One change of the value of a key whose value may be missing.
    public typealias OptionalKeyChange<Wrapped: Sendable> = KeyChange<Wrapped?>

    /// What an observer wants to receive.
    public typealias ObservationOptions = DefaultsObservationOptions
    /// An active observation.
    public typealias Observation = DefaultsObservation
}

extension Defaults.KeyChange: Equatable where Value: Equatable {}
extension Defaults.KeyChange: Hashable where Value: Hashable {}

extension Defaults.KeyChange: CustomReflectable {
    /// What is printed and dumped: everything but the values of a secret key.
    @_documentation(visibility: internal)
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "oldValue": HiddenValue.unless(!isSecret, oldValue),
                "newValue": HiddenValue.unless(!isSecret, newValue), "isInitial": isInitial, "cause": cause,
                "isSecret": isSecret,
            ], displayStyle: .struct)
    }
}
