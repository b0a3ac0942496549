/// What the catalogue knows of one declared key.
///
/// It holds no key object. A class, because a new process pays for the first copy of a struct with so many parts, as much
/// as for opening several files.
package final class KeyDeclaration: Sendable {
    package let name: KeyName
    package let type: any Any.Type
    /// Without the optionals around it.
    package let wholeType: any Any.Type
    /// Whether it comes from a property whose name is the key: it makes way for every key declared as one.
    let isOfProperty: Bool
    /// Whether it, or an earlier declaration of its name, keeps the values out of everything that is printed.
    package let isSecret: Bool
    package let description: String?
    package let merge: DefaultsMerge
    /// Whether the key is a Boolean, so that a flag of the command line needs no value.
    package let isFlag: Bool
    // The engine knows no types. Each is told whether its failures have to be silent about values, because that may
    // be known only later, from another key of the name.
    private let texts: Texts
    private let makeDefaultText: @Sendable (_ isSecret: Bool) throws(DefaultsError) -> StoredValue?
    private let objecting:
        @Sendable (StoredValue, Role, _ lower: [StoredValue], _ isSecret: Bool) -> DefaultsError?
    package let refused: RefusedTexts

    /// Which values a key allows, as texts of a command line.
    package struct Allowed: Hashable, Sendable {
        let values: [String]?
        let range: String?

        package init(values: [String]?, range: String?) { (self.values, self.range) = (values, range) }
    }

    /// What the texts of a command line or an environment mean to a key.
    package struct Texts: Sendable {
        /// A list takes all texts, any other key the last one.
        let reading: @Sendable ([String], _ isSecret: Bool) throws(DefaultsError) -> StoredValue
        /// Whether the key is a list whose elements can be written without JSON.
        let isList: @Sendable () -> Bool
        /// A valid text, shown to a user whose own was refused.
        let example: @Sendable (_ isSecret: Bool) -> String?
        let allowed: @Sendable () -> Allowed
        let members: @Sendable () -> [[String]]
        /// Reads the text of a member: an object with that member alone.
        let member:
            @Sendable (String, _ path: [String], _ isSecret: Bool) throws(DefaultsError) -> StoredValue

        package init(
            reading: @escaping @Sendable ([String], _ isSecret: Bool) throws(DefaultsError) -> StoredValue,
            isList: @escaping @Sendable () -> Bool,
            example: @escaping @Sendable (_ isSecret: Bool) -> String?,
            allowed: @escaping @Sendable () -> Allowed,
            members: @escaping @Sendable () -> [[String]],
            member:
                @escaping @Sendable (String, _ path: [String], _ isSecret: Bool) throws(DefaultsError) ->
                StoredValue
        ) {
            self.reading = reading
            self.isList = isList
            self.example = example
            self.allowed = allowed
            self.members = members
            self.member = member
        }
    }

    /// What a text is to be for a key.
    package enum Role: Sendable {
        /// The value that is read, whatever it was combined of.
        case whole
        /// What one domain has: the value, or a part of it if the domains' values combine.
        case part
        /// The same before it is set: a part has to pass the validation together with the key's own default.
        case given
    }

    package init(
        name: KeyName, type: any Any.Type, wholeType: any Any.Type, isOfProperty: Bool = false,
        isSecret: Bool, description: String?, merge: DefaultsMerge,
        isFlag: Bool, texts: Texts, refused: RefusedTexts,
        defaultText: @escaping @Sendable (_ isSecret: Bool) throws(DefaultsError) -> StoredValue?,
        objection:
            @escaping @Sendable (StoredValue, Role, _ lower: [StoredValue], _ isSecret: Bool) ->
            DefaultsError?
    ) {
        self.name = name
        self.type = type
        self.wholeType = wholeType
        self.isOfProperty = isOfProperty
        self.isSecret = isSecret
        self.description = description
        self.merge = merge
        self.isFlag = isFlag
        self.texts = texts
        makeDefaultText = defaultText
        objecting = objection
        self.refused = refused
    }

    package init(_ own: KeyDeclaration, isSecret: Bool, merge: DefaultsMerge) {
        (name, type, wholeType, isOfProperty) = (own.name, own.type, own.wholeType, own.isOfProperty)
        (description, isFlag) = (own.description, own.isFlag)
        (texts, makeDefaultText, objecting) = (own.texts, own.makeDefaultText, own.objecting)
        refused = own.refused
        (self.isSecret, self.merge) = (isSecret, merge)
    }

    /// Returns what texts from the command line or the environment mean: to a list all of them, otherwise the last one.
    ///
    /// - Parameter isSecret: whether they are secrets, though the key is not declared so.
    package func reading(_ texts: [String], isSecret: Bool = false) throws(DefaultsError) -> StoredValue {
        try self.texts.reading(texts, isSecret || self.isSecret)
    }

    /// The members of the key's objects, each by its path and the name that it has as a setting of its own.
    var members: [(name: KeyName, path: [String])] {
        texts.members().map { (KeyName(([name.string] + $0).joined(separator: ".")), $0) }
    }

    /// Returns an object with that member alone.
    func reading(_ text: String, forMember path: [String]) throws(DefaultsError) -> StoredValue {
        try texts.member(text, path, isSecret)
    }

    package var isList: Bool { texts.isList() }

    /// Nil if none is known.
    package func example(isSecret: Bool = false) -> String? { texts.example(isSecret || self.isSecret) }

    /// Nothing is told of a secret key.
    var allowed: Allowed { isSecret ? Allowed(values: nil, range: nil) : texts.allowed() }

    /// Returns the default as JSON, encoded on request; nil if the default is "no value".
    package func defaultText() throws(DefaultsError) -> StoredValue? { try makeDefaultText(isSecret) }

    /// Returns why a stored text is not a value of the key, nil if it is one.
    ///
    /// - Parameter lower: what the domains below that of the text have, from which members come that it lacks.
    package func objection(_ text: StoredValue, over lower: [StoredValue] = []) -> DefaultsError? {
        objecting(text, .whole, lower, isSecret)
    }

    /// Nil if the text may be set.
    func objection(toSetting text: StoredValue, over lower: [StoredValue]) -> DefaultsError? {
        objecting(text, .given, lower, isSecret)
    }

    /// Returns why a text is not what the key takes in a role, with an error that is silent about the value if that is
    /// secret by now.
    package func objection(
        _ text: StoredValue, as role: Role = .whole, over lower: [StoredValue] = [], isSecret: Bool
    ) -> DefaultsError? {
        objecting(text, role, lower, isSecret || self.isSecret)
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
    /// The values that are allowed, each as a text that `set(text:forKey:)` reads; nil if there is no such list, or if the
    /// key is secret.
    public let allowedValues: [String]?
    /// The bounds of `validation: .range(...)` in words, such as `0 to 1`; nil for any other validation, or if the key
    /// is secret.
    public let allowedRange: String?

    init(
        name: String, typeName: String, defaultValue: DefaultsValue?, description: String?, isSecret: Bool,
        allowedValues: [String]? = nil, allowedRange: String? = nil
    ) {
        (self.name, self.typeName, self.defaultValue) = (name, typeName, defaultValue)
        (self.description, self.isSecret) = (description, isSecret)
        (self.allowedValues, self.allowedRange) = (allowedValues, allowedRange)
    }
}
