public import DefaultsStore
public import TypedDefaults

extension Defaults {
    /// What sindresorhus/Defaults 4 to 9 ask of the type of a value: here every type that is `Codable` and `Sendable`.
    ///
    /// It lets such types keep their conformance. A key takes a type without it, too.
    ///
    /// ```swift
    /// struct User: Codable, Defaults.Serializable { var name = "none" }
    ///
    /// let user = Defaults.Key<User>("user", default: User())
    /// ```
    public protocol Serializable: Codable, Sendable {}

    /// What sindresorhus/Defaults asks of an enum that is stored as its raw value: here every enum that has one is.
    public protocol PreferRawRepresentable: RawRepresentable {}

    /// A value that may be any JSON; sindresorhus/Defaults has a type of its own for that.
    public typealias AnySerializable = DefaultsValue
}
