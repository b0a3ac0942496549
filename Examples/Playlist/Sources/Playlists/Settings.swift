import TypedDefaults

extension Defaults.Keys {
    /// From silent to as loud as it gets.
    public static let volume = Key<Double>("volume", default: 0.5, validation: .range(0...1))
    /// The lists opened last, the latest first.
    public static let recent = Key<[String]>("recent", default: [])
}
