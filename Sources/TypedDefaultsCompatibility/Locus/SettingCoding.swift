import DefaultsStore
import TypedDefaults

/// Converts a setting's text to a value of the requested type, and back: through JSON, never by a cast.
struct SettingCoding<Value: Codable & Sendable>: Sendable {
    let place: KeyPlace

    init(_ name: KeyName, in context: SuiteContext) {
        // A key of that name determines whether its value may be reported.
        place = KeyPlace(key: name, suite: context.name, isSecret: context.isSecret(name))
    }

    /// Returns the value of a text of the suite, and reports ambiguous dates in it.
    ///
    /// - Parameter lower: the source of members that the text lacks.
    /// - Throws: `.typeMismatch`.
    func value(
        of text: StoredValue, over lower: [StoredValue], in context: SuiteContext
    ) throws(DefaultsError) -> Value {
        try place.decodeReportingDoubts(in: context, context.loaded) { () throws(DefaultsError) in
            try value(of: text, over: lower)
        }
    }

    private func value(of text: StoredValue, over lower: [StoredValue]) throws(DefaultsError) -> Value {
        do { return try DefaultsCodec<Value>.codable.decode(text) { lower } } catch {
            throw place.error(.typeMismatch, foreign: describe(error), expecting: Value.self)
        }
    }

    /// Returns the text to store for a value; nil, which removes, for nil.
    ///
    /// - Throws: `.encodingFailed`, `.valueTooLarge`.
    func text(of value: Value) throws(DefaultsError) -> StoredValue? {
        try KeyCoding<Value>(codec: .codable)
            .textToStore(value, at: place, default: { value })
    }

    /// Stores a text, an array or object as an edit of the stored one; nil removes.
    ///
    /// - Parameter lower: the source of members that the stored text lacks.
    func write(
        _ text: StoredValue?, over lower: [StoredValue], in context: SuiteContext
    ) throws(DefaultsError) {
        guard let text, text.isList else { return try context.write(text, forKey: place.key) }
        try context.edit(text, forKey: place.key, Value.self) { stored in
            // A stored text that is no value of the type has nothing to keep.
            do { return try self.text(of: value(of: stored, over: lower)) } catch { return nil }
        }
    }

    /// The value if no domain has one: nil for an optional.
    ///
    /// - Throws: `.missingDefault` for every other type.
    func missing() throws(DefaultsError) -> Value {
        if let none = optionalType(Value.self)?.nilValue as? Value { return none }
        throw place.error(.missingDefault, "no source has supplied its default yet, and it has no local one")
    }

    /// Declares the type by which the suite reads texts of the command line and the environment.
    func register(in context: SuiteContext) {
        context.register(Value.self, place.key, isSecret: false, merge: .replace) {
            KeyCoding<Value?>(codec: .codable).declaration(
                of: place.key, type: Value.self, suite: place.suite, default: { nil })
        }
    }
}
