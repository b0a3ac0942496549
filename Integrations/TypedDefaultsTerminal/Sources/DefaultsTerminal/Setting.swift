@_spi(TypedDefaults) public import DefaultsStore

/// A setting as a screen offers it: what it is, whatever its value.
@_spi(TypedDefaults)
public struct Setting: Sendable {
    /// The key.
    public let name: String
    /// What it is for.
    public let description: String?
    /// What a value is, in words: `a number`.
    public let kind: String
    /// The texts that are allowed; empty if they cannot be listed.
    public let choices: [String]
    /// What else a value has to be, in words: `0 to 1`.
    public let rule: String?
    /// The value if there is none of anybody's.
    public let standard: DefaultsValue?
    /// Whether its value is never shown.
    public let isSecret: Bool
    /// Reads a text that a person types; nil if the declared key of the name does.
    let reading: (@Sendable (String) -> Reading)?

    /// What a typed text is.
    public enum Reading: Sendable {
        /// The value to store.
        case value(DefaultsValue)
        /// It is none, and why.
        case refused(String)
    }

    /// Creates a setting that no key is declared for.
    public init(
        name: String, description: String?, kind: String, choices: [String], rule: String?,
        standard: DefaultsValue?,
        isSecret: Bool, reading: @escaping @Sendable (String) -> Reading
    ) {
        (self.name, self.description, self.kind, self.choices) = (name, description, kind, choices)
        (self.rule, self.standard, self.isSecret, self.reading) = (rule, standard, isSecret, reading)
    }

    /// Creates the setting of a declared key.
    init(_ key: DefaultsKeyDescription) {
        let isTruth = key.typeName == "Bool" || key.typeName == "Optional<Bool>"
        (name, description, isSecret, standard) = (key.name, key.description, key.isSecret, key.defaultValue)
        kind = Setting.kind(ofType: key.typeName)
        choices = key.allowedValues ?? (isTruth && !key.isSecret ? ["true", "false"] : [])
        (rule, reading) = (key.allowedRange, nil)
    }

    /// Creates the setting of a name that is stored and not declared.
    init(undeclared name: String, in suite: DefaultsSuite) {
        self.init(
            name: name, description: nil, kind: "not declared", choices: [], rule: nil, standard: nil,
            isSecret: false
        ) { text in
            // A text stays one, whatever is typed.
            suite.value(forKey: name)?.string == nil ? Setting.guess(text) : .value(.string(text))
        }
    }

    private static func kind(ofType name: String) -> String {
        var type = name[...]
        while type.hasPrefix("Optional<"), type.hasSuffix(">") { type = type.dropFirst(9).dropLast() }
        let word =
            switch type {
            case "Bool": "true or false"
            case "String": "a text"
            case "Double", "Float", "Decimal": "a number"
            case "Int", "Int64", "Int32", "Int16", "Int8": "a whole number"
            case "UInt", "UInt64", "UInt32", "UInt16", "UInt8": "a whole number of at least 0"
            case "Date": "a time, such as 2026-11-21T18:25:48Z"
            case "Duration": "a time span, such as 1m30s"
            case "URL": "an address"
            case "UUID": "an identifier"
            case _ where type.hasPrefix("Array<") || type.hasPrefix("Set<"):
                "a list, as JSON or between commas"
            case _ where type.hasPrefix("Dictionary<"): "an object, as JSON"
            default: String(type)
            }
        return name.hasPrefix("Optional<") ? word + ", or nothing" : word
    }

    /// JSON where it is JSON, else a text.
    private static func guess(_ text: String) -> Reading {
        do { return .value(try DefaultsValue(json: text)) } catch {
            guard let first = text.first(where: { !$0.isWhitespace }), "{[\"".contains(first) else {
                return .value(.string(text))
            }
            return .refused(
                "it is no JSON at character \(error.column ?? 1): \(error.underlyingDescription ?? "")")
        }
    }
}

extension DefaultsValue {
    /// The value as a person would type it: a text without quotes, anything else as JSON.
    var typed: String { string ?? description }
}
