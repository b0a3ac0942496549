import DefaultsStore

/// From a key's value to the text that a suite stores.
extension Defaults.Key {
    /// Returns the text to store for a value; nil removes.
    ///
    /// - Throws: `.invalidKey`, `.encodingFailed`, `.invalidValue`, `.valueTooLarge`.
    func textToStore(_ value: Value, in core: SuiteCore) throws(DefaultsError) -> StoredValue? {
        if let text = quickText(of: value) { return text }
        do { _ = try KeyName.validated(name) } catch { throw error.inSuite(core.name) }
        return try coding.textToStore(value, at: place(in: core)) { defaultValue }
    }

    /// Returns the text of a value that an access in place has made of the one that is read, all of which it is; nil removes.
    ///
    /// - Throws: `.invalidKey`, `.encodingFailed`, `.invalidValue`, `.valueTooLarge`.
    func textOfWhole(_ value: Value, in core: SuiteCore) throws(DefaultsError) -> StoredValue? {
        guard coding.merge != .replace else { return try textToStore(value, in: core) }
        do { _ = try KeyName.validated(name) } catch { throw error.inSuite(core.name) }
        if KeyCoding.isNil(value), KeyCoding.isNil(defaultValue) { return nil }
        return try coding.text(of: value, at: place(in: core))
    }

    /// Returns the text by which two values are compared; also for a default that breaks the key's rule.
    func comparableText(of value: Value, in core: SuiteCore) throws(DefaultsError) -> StoredValue {
        try coding.uncheckedText(of: value, at: place(in: core))
    }

    /// Stores a value in a suite.
    @_specialize(where Value == Bool)
    @_specialize(where Value == Int)
    @_specialize(where Value == Double)
    @_specialize(where Value == String)
    func set(_ value: Value, in core: SuiteCore) throws(DefaultsError) {
        if SuiteReplacement.isAny { welcome(in: core) }
        if let text = quickText(of: value) { return try core.write(text, forKey: keyName) }
        // Encoded before any lock is taken, because encoding runs the type's own code.
        let text = try textToStore(value, in: core)
        guard let text, text.isList else { return try core.write(text, forKey: keyName) }
        try lay(text, in: core)
    }
}
