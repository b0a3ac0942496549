/// A struct of ten fields, as a program keeps it in one setting.
public struct Profile: Codable, Equatable, Sendable {
    /// Texts.
    public var name = "Ada Lovelace", mail = "ada@example.com", city = "London", theme = "dark"
    /// Whole numbers.
    public var age = 36, visits = 1815
    /// Numbers.
    public var volume = 0.75, scale = 1.5
    /// Truth values.
    public var isActive = true, isAdministrator = false

    /// The values above.
    public init() {}
}
