public import Foundation
public import TypedDefaults

extension Defaults {
    /// A key of a class that supports secure coding, as in sindresorhus/Defaults 3.
    ///
    /// ```swift
    /// extension Defaults.Keys {
    ///     static let home = NSSecureCodingKey<NSURL>(
    ///         "home", default: NSURL(fileURLWithPath: "/"))
    ///     static let opened = NSSecureCodingOptionalKey<NSDate>("opened")
    /// }
    /// ```
    ///
    /// It is an ordinary key with `codec: .secureCoding()`. The class has to be `Sendable`. A class that is
    /// also `Codable` is stored as JSON, as by `Key`; to archive it, pass the codec to its key.
    public typealias NSSecureCodingKey<Value: NSObject & NSSecureCoding & Sendable> = Key<Value>
    /// A key of a class that supports secure coding and whose value may be missing.
    public typealias NSSecureCodingOptionalKey<Value: NSObject & NSSecureCoding & Sendable> = Key<Value?>
    /// One change of such a key's value.
    public typealias NSSecureCodingKeyChange<Value: NSObject & NSSecureCoding & Sendable> = KeyChange<Value>
    /// One change of the value of such a key whose value may be missing.
    public typealias NSSecureCodingOptionalKeyChange<Value: NSObject & NSSecureCoding & Sendable> =
        KeyChange<Value?>
}

extension Defaults.Keys {
    /// A key of a class that supports secure coding.
    public typealias NSSecureCodingKey = Defaults.NSSecureCodingKey
    /// A key of a class that supports secure coding and whose value may be missing.
    public typealias NSSecureCodingOptionalKey = Defaults.NSSecureCodingOptionalKey
}

extension Defaults.Key where Value: NSObject & NSSecureCoding {
    // Disfavoured, so that a class that is also Codable is stored in one form, whatever a file imports.
    /// Creates a key of a class that supports secure coding.
    ///
    /// - Parameters:
    ///   - name: the name of the member in the settings file.
    ///   - default: the value if nothing is stored; evaluated at each use.
    ///   - suite: the suite it belongs to.
    ///   - validation: the validation that values have to keep; a stored value that breaks it is not used.
    ///   - secret: whether values are kept out of everything that is printed.
    ///   - description: the key's purpose, for programs that list settings.
    @_disfavoredOverload
    public convenience init(
        _ name: String, default: @autoclosure @escaping @Sendable () -> Value,
        suite: DefaultsSuite = .standard, validation: DefaultsValidation<Value>? = nil, secret: Bool = false,
        description: String? = nil
    ) {
        self.init(
            name, default: `default`(), suite: suite, codec: .secureCoding(), validation: validation,
            secret: secret, description: description)
    }
}

extension Defaults.Key {
    /// Creates a key of a class that supports secure coding and whose value may be missing: its default is
    /// nil.
    ///
    /// - Parameters:
    ///   - name: the name of the member in the settings file.
    ///   - suite: the suite it belongs to.
    ///   - validation: the validation that values have to keep; a stored value that breaks it is not used.
    ///   - secret: whether values are kept out of everything that is printed.
    ///   - description: the key's purpose, for programs that list settings.
    @_disfavoredOverload
    public convenience init<Wrapped: NSObject & NSSecureCoding & Sendable>(
        _ name: String, suite: DefaultsSuite = .standard, validation: DefaultsValidation<Value>? = nil,
        secret: Bool = false, description: String? = nil
    ) where Value == Wrapped? {
        self.init(
            name, suite: suite, codec: .secureCoding(), validation: validation, secret: secret,
            description: description)
    }
}
