/// What the catalogue knows of one declared key.
///
/// It holds no key object.
package struct KeyDeclaration: Sendable {
    package let name: KeyName
    package let type: any Any.Type
    /// The type without the optionals around it.
    let wholeType: any Any.Type
    /// Whether it comes from a property whose name is the key: it makes way for every key declared as one.
    let isOfProperty: Bool
    package var isSecret: Bool
    package let description: String?
    /// How the domains' values combine.
    package let merge: DefaultsMerge
    /// Whether the key is a Boolean, so that a flag of the command line needs no value.
    package let isFlag: Bool
    /// Returns what a text from the command line or the environment means; the engine knows no types.
    package let reading: @Sendable (String) throws(DefaultsError) -> StoredValue
    /// Returns the default as JSON, encoded on request; nil if the default is "no value".
    package let defaultText: @Sendable () throws(DefaultsError) -> StoredValue?
    /// Returns why a stored text is not a value of the key, nil if it is one.
    package let objection: @Sendable (StoredValue) -> DefaultsError?

    package init(
        name: KeyName, type: any Any.Type, wholeType: any Any.Type, isOfProperty: Bool = false,
        isSecret: Bool, description: String?, merge: DefaultsMerge,
        isFlag: Bool, reading: @escaping @Sendable (String) throws(DefaultsError) -> StoredValue,
        defaultText: @escaping @Sendable () throws(DefaultsError) -> StoredValue?,
        objection: @escaping @Sendable (StoredValue) -> DefaultsError?
    ) {
        self.name = name
        self.type = type
        self.wholeType = wholeType
        self.isOfProperty = isOfProperty
        self.isSecret = isSecret
        self.description = description
        self.merge = merge
        self.isFlag = isFlag
        self.reading = reading
        self.defaultText = defaultText
        self.objection = objection
    }
}

/// A declared key, for a program that lists settings.
public struct DefaultsKeyDescription: Hashable, Sendable {
    /// The key's name.
    public let name: String
    /// The Swift type of its values: `"Array<Int>"`.
    public let typeName: String
    /// The default; nil if there is none, if it cannot be written as JSON, or if the key is secret.
    public let defaultValue: DefaultsValue?
    /// What the declaration says about the key's purpose.
    public let description: String?
    /// Whether its values are kept out of everything that is printed.
    public let isSecret: Bool
}
