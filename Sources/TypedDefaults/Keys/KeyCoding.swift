import DefaultsStore

/// Which key of which suite a value belongs to, for the errors.
struct KeyPlace: Sendable {
    let key: KeyName
    let suite: String
    var isSecret = false
    /// The suite that knows whether another key of the name is secret; nil if `isSecret` says all.
    var core: SuiteCore?

    /// Whether this key, or another one of the name, is secret.
    var isOfSecret: Bool { isSecret || core?.isSecret(key) == true }

    func error(_ code: DefaultsError.Code, _ reason: String) -> DefaultsError {
        DefaultsError(code, suite: suite, key: key.string, underlyingDescription: reason)
    }

    /// Returns the error for what the coding of a value says about it.
    ///
    /// Details are left out for a secret key: a coding path contains the keys of dictionaries, and an error thrown by
    /// other code may contain anything.
    ///
    /// - Parameter type: the expected type, which is named in any case.
    func error(
        _ code: DefaultsError.Code, foreign reason: @autoclosure () -> String,
        expecting type: (any Any.Type)? = nil
    ) -> DefaultsError {
        guard isOfSecret else { return error(code, reason()) }
        return error(
            code, (type.map { "expected \($0); " } ?? "") + "no more is told, since the key is secret")
    }
}

/// Converts a key's values to stored text and back, and enforces the key's rule both ways.
struct KeyCoding<Value: Sendable>: Sendable {
    let codec: DefaultsCodec<Value>
    let validation: DefaultsValidation<Value>?
    /// How the domains' values combine; the default takes part.
    var merge = DefaultsMerge.replace

    /// Returns the value of a text, combined with the default if the key requires it.
    ///
    /// - Parameter makeDefault: the key's default. If it is nil, "no stored value" stands for the outermost nil, so a
    ///   stored `null` is the inner nil of a `T??`.
    /// - Throws: `.typeMismatch`, `.invalidValue`.
    func value(
        of text: StoredValue, at place: KeyPlace, default makeDefault: () -> Value
    ) throws(DefaultsError) -> Value {
        if let inner = KeyCoding.someNil, text.bytes.elementsEqual("null".utf8),
            KeyCoding.isNil(makeDefault())
        {
            return try allowed(inner, at: place)
        }
        let value: Value
        do { value = try codec.decode(Array(overDefault(text, makeDefault).bytes)) } catch {
            throw place.error(.typeMismatch, foreign: describe(error), expecting: Value.self)
        }
        return try allowed(value, at: place)
    }

    private func allowed(_ value: Value, at place: KeyPlace) throws(DefaultsError) -> Value {
        if let reason = refusal(of: value, at: place) { throw place.error(.invalidValue, reason) }
        return value
    }

    /// Returns a text merged over that of the default, if the key combines values.
    func overDefault(_ text: StoredValue, _ makeDefault: () -> Value) throws -> StoredValue {
        guard merge != .replace else { return text }
        let lowest = makeDefault()
        let standard = KeyCoding.isNil(lowest) ? nil : try StoredValue(validating: codec.encode(lowest))
        return merge.whole(text, over: standard)
    }

    /// Returns the text of a value that keeps the rule.
    ///
    /// - Throws: `.encodingFailed`, `.invalidValue`, `.invalidKey`, `.valueTooLarge`.
    func text(of value: Value, at place: KeyPlace) throws(DefaultsError) -> StoredValue {
        try uncheckedText(of: try allowed(value, at: place), at: place)
    }

    /// Returns the text of a value that is not to be stored, whether or not it keeps the rule.
    ///
    /// - Throws: `.encodingFailed`, `.invalidKey`, `.valueTooLarge`.
    func uncheckedText(of value: Value, at place: KeyPlace) throws(DefaultsError) -> StoredValue {
        let bytes: [UInt8]
        do { bytes = try codec.encode(value) } catch {
            throw place.error(.encodingFailed, foreign: describe(error))
        }
        do {
            return try StoredValue(validating: bytes).checkingSize(forKey: place.key.string, in: place.suite)
        } catch let fault as JSONFault {
            throw place.error(
                fault.isTooDeep ? .valueTooLarge : .encodingFailed,
                foreign: "the codec wrote: \(fault.reason)")
        } catch let error as DefaultsError {
            throw error
        } catch {
            throw place.error(.encodingFailed, foreign: describe(error))
        }
    }

    /// Returns the text to store for a value: nil, which removes, for the nil of a key whose default is nil.
    func textToStore(
        _ value: Value, at place: KeyPlace, default makeDefault: () -> Value
    ) throws(DefaultsError) -> StoredValue? {
        if KeyCoding.isNil(value), KeyCoding.isNil(makeDefault()) { return nil }
        guard merge != .replace, validation != nil else { return try text(of: value, at: place) }
        // What is written is a part, and the rule is for the whole, as it is when that is read.
        let part = try uncheckedText(of: value, at: place)
        _ = try self.value(of: part, at: place, default: makeDefault)
        return part
    }

    /// Returns the text of the default; nil if that is no value.
    ///
    /// The rule is for what is written: a default may break it, to say that nothing has been chosen yet.
    func defaultText(at place: KeyPlace, default makeDefault: () -> Value) throws(DefaultsError)
        -> StoredValue?
    {
        let value = makeDefault()
        return KeyCoding.isNil(value) ? nil : try uncheckedText(of: value, at: place)
    }

    /// Returns why a stored text is not a value of the key.
    func objection(to text: StoredValue, at place: KeyPlace, default makeDefault: () -> Value)
        -> DefaultsError?
    {
        do {
            _ = try value(of: text, at: place, default: makeDefault)
            return nil
        } catch {
            return error
        }
    }

    /// Returns why a text is not what the key takes in a role.
    func objection(
        to text: StoredValue, as role: KeyDeclaration.Role, at place: KeyPlace,
        default makeDefault: () -> Value
    ) -> DefaultsError? {
        guard role == .part, merge != .replace else {
            return objection(to: text, at: place, default: makeDefault)
        }
        if let error = objection(toPart: text, at: place, default: makeDefault) { return error }
        guard validation != nil else { return nil }
        // What the part leaves out may come from another domain, but a rule that it breaks with the default is broken.
        let error = objection(to: text, at: place, default: makeDefault)
        return error?.code == .invalidValue ? error : nil
    }

    static func isNil(_ value: Value) -> Bool {
        mayBeOptional(Value.self) && (value as? any OptionalValue)?.isNil == true
    }

    /// Whether the values are objects, or optional ones.
    static var isOfClassType: Bool { wholeType is AnyObject.Type }

    /// Whether the values are Booleans, or optional ones.
    static var isTruth: Bool { wholeType == Bool.self }

    /// The type without the optionals around it.
    static var wholeType: any Any.Type {
        func unwrapped(_ type: any Any.Type) -> any Any.Type {
            optionalType(type).map { unwrapped($0.wrappedType) } ?? type
        }
        return unwrapped(Value.self)
    }

    private static var someNil: Value? {
        // Cast only if it is there: casting nil itself to an optional type succeeds, and gives the outermost nil.
        optionalType(Value.self)?.someNil.flatMap { $0 as? Value }
    }
}
