import DefaultsStore

/// The key and the suite of a value, for the errors.
package struct KeyPlace: Sendable {
    package let key: KeyName
    package let suite: String
    package let isSecret: Bool
    private let context: SuiteContext?

    /// - Parameter context: the suite that knows whether another key of the name is secret; nil to use
    ///   `isSecret` alone.
    package init(key: KeyName, suite: String, isSecret: Bool = false, context: SuiteContext? = nil) {
        (self.key, self.suite, self.isSecret, self.context) = (key, suite, isSecret, context)
    }

    /// Whether this key, or another one of the name, is secret.
    var isOfSecret: Bool { isSecret || context?.isSecret(key) == true }

    package func error(_ code: DefaultsError.Code, _ reason: String) -> DefaultsError {
        DefaultsError(code, suite: suite, key: key.string, underlyingDescription: reason)
    }

    /// Returns the error for a fault in the coding of a value.
    ///
    /// A secret key's error has no details: a coding path contains the keys of dictionaries, and an error of
    /// other code may contain anything.
    ///
    /// - Parameter type: the expected type, which is always named.
    @inline(never)  // No value is read faster for what is said about one that cannot be.
    package func error(
        _ code: DefaultsError.Code, foreign reason: @autoclosure () -> String,
        expecting type: (any Any.Type)? = nil
    ) -> DefaultsError {
        guard isOfSecret else { return error(code, reason()) }
        return error(
            code, (type.map { "expected \($0); " } ?? "") + "no more is told, since the key is secret")
    }
}

/// Converts a key's values to stored text and back, and enforces the key's validation both ways.
package struct KeyCoding<Value: Sendable>: Sendable {
    let codec: DefaultsCodec<Value>
    let validation: DefaultsValidation<Value>?
    /// How the domains' values combine; the default takes part.
    let merge: DefaultsMerge
    /// Whether nil is stored as `null` if the default is another value; otherwise it removes the stored
    /// value.
    let storesNil: Bool
    /// Texts that are known not to be a value.
    let refused = RefusedTexts()

    package init(
        codec: DefaultsCodec<Value>, validation: DefaultsValidation<Value>? = nil,
        merge: DefaultsMerge = .replace, storesNil: Bool = false
    ) {
        (self.codec, self.validation, self.merge, self.storesNil) = (codec, validation, merge, storesNil)
    }

    /// - Parameter type: the type that another key of the name is compared with.
    package func declaration(
        of key: KeyName, type: any Any.Type, suite: String, isOfProperty: Bool = false,
        isSecret: Bool = false,
        description: String? = nil, default makeDefault: @escaping @Sendable () -> Value
    ) -> KeyDeclaration {
        let place = { @Sendable in KeyPlace(key: key, suite: suite, isSecret: $0) }
        return KeyDeclaration(
            name: key, type: type, wholeType: KeyCoding.wholeType, isOfProperty: isOfProperty,
            isSecret: isSecret, description: description, merge: merge, isFlag: KeyCoding.isTruth,
            texts: texts(at: place, default: makeDefault), refused: refused,
            defaultText: { (isSecret) throws(DefaultsError) in
                try defaultText(at: place(isSecret), default: makeDefault)
            },
            objection: { (text, role, lower, isSecret) in
                objection(to: text, as: role, at: place(isSecret), over: lower, default: makeDefault)
            })
    }

    /// Returns the value of a text, combined with the default if the key requires it.
    ///
    /// Otherwise a required member that the text lacks comes from the domains below it, and last from the
    /// default.
    ///
    /// - Parameters:
    ///   - lower: the texts of the domains below, highest first; called only if a member is missing.
    ///   - makeDefault: the key's default. If it is nil, "no stored value" is the outermost nil, so a stored
    ///     `null` is the inner nil of a `T??`.
    /// - Throws: `.typeMismatch`, `.invalidValue`.
    func value(
        of text: StoredValue, at place: KeyPlace, over lower: () -> [StoredValue] = { [] },
        default makeDefault: () -> Value
    ) throws(DefaultsError) -> Value {
        var isOverLower = false
        func noting() -> [StoredValue] {
            isOverLower = true
            return lower()
        }
        do { return try decoded(text, at: place, over: noting, makeDefault) } catch {
            do throws(DefaultsError) {
                // A text below it may be at fault.
                guard isOverLower else { throw error }
                return try decoded(text, at: place, over: { [] }, makeDefault)
            } catch {
                refused.record(text, as: .whole)
                throw error
            }
        }
    }

    /// Whether a domain's text is known to be no value of the key, or no part of one.
    func refuses(_ text: StoredValue) -> Bool { refused.has(text, as: merge == .replace ? .whole : .part) }

    private func decoded(
        _ text: StoredValue, at place: KeyPlace, over lower: () -> [StoredValue], _ makeDefault: () -> Value
    ) throws(DefaultsError) -> Value {
        if let inner = KeyCoding.someNil, text.bytes.elementsEqual("null".utf8),
            KeyCoding.isNil(makeDefault())
        {
            return try allowed(inner, at: place)
        }
        let value: Value
        do {
            value = try codec.decode(mergedOnDefault(text, makeDefault)) {
                // Combined values have all of this already, except what a part removes.
                guard merge == .replace else { return [] }
                return try lower() + [standard(makeDefault)].compactMap(\.self)
            }
        } catch {
            throw place.error(.typeMismatch, foreign: describe(error), expecting: Value.self)
        }
        return try allowed(value, at: place)
    }

    private func allowed(_ value: Value, at place: KeyPlace) throws(DefaultsError) -> Value {
        if let reason = refusal(of: value, at: place) { throw place.error(.invalidValue, reason) }
        return value
    }

    /// Returns a text merged over that of the default, if the key combines values.
    func mergedOnDefault(_ text: StoredValue, _ makeDefault: () -> Value) throws -> StoredValue {
        merge == .replace ? text : merge.whole(text, over: try standard(makeDefault))
    }

    private func standard(_ makeDefault: () -> Value) throws -> StoredValue? {
        let lowest = makeDefault()
        return KeyCoding.isNil(lowest) ? nil : try StoredValue(validating: codec.encode(lowest))
    }

    /// Returns the text of a value that passes the validation.
    ///
    /// - Throws: `.encodingFailed`, `.invalidValue`, `.invalidKey`, `.valueTooLarge`.
    func text(of value: Value, at place: KeyPlace) throws(DefaultsError) -> StoredValue {
        try uncheckedText(of: try allowed(value, at: place), at: place)
    }

    /// Returns the text of a value that is not stored, whether or not it passes the validation.
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

    /// Whether storing a value means to remove the stored one.
    func isRemoval(_ value: Value, default makeDefault: () -> Value) -> Bool {
        KeyCoding.isNil(value) && (!storesNil || KeyCoding.isNil(makeDefault()))
    }

    /// Returns the text to store for a value; nil removes.
    package func textToStore(
        _ value: Value, at place: KeyPlace, default makeDefault: () -> Value
    ) throws(DefaultsError) -> StoredValue? {
        if isRemoval(value, default: makeDefault) { return nil }
        guard merge != .replace, validation != nil else { return try text(of: value, at: place) }
        // The written text is a part. The validation is for the whole value, and is applied when that is read.
        let part = try uncheckedText(of: value, at: place)
        _ = try self.value(of: part, at: place, default: makeDefault)
        return part
    }

    /// Returns the text of the default; nil if that is no value.
    ///
    /// The validation applies to written values: a default may break it, to say that nothing has been chosen yet.
    func defaultText(at place: KeyPlace, default makeDefault: () -> Value) throws(DefaultsError)
        -> StoredValue?
    {
        let value = makeDefault()
        return KeyCoding.isNil(value) ? nil : try uncheckedText(of: value, at: place)
    }

    /// Returns why a stored text is not a value of the key.
    func objection(
        to text: StoredValue, at place: KeyPlace, over lower: [StoredValue] = [],
        default makeDefault: () -> Value
    ) -> DefaultsError? {
        do {
            _ = try value(of: text, at: place, over: { lower }, default: makeDefault)
            return nil
        } catch {
            return error
        }
    }

    /// Why a text is not what the key accepts in a role.
    func objection(
        to text: StoredValue, as role: KeyDeclaration.Role, at place: KeyPlace,
        over lower: [StoredValue] = [], default makeDefault: () -> Value
    ) -> DefaultsError? {
        guard role != .whole, merge != .replace else {
            return objection(to: text, at: place, over: lower, default: makeDefault)
        }
        if let error = objection(toPart: text, at: place, default: makeDefault) {
            refused.record(text, as: .part)
            return error
        }
        guard role == .given, validation != nil else { return nil }
        // Members that the part leaves out may come from another domain; but a validation that it breaks with the
        // default is broken.
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
        // Cast only if present: casting nil itself to an optional type succeeds, and gives the outermost nil.
        optionalType(Value.self)?.someNil.flatMap { $0 as? Value }
    }
}

/// Allowed values, if they can be listed or have bounds.
extension KeyCoding {
    /// The list of allowed values, as texts that can be read back; nil if there is none.
    ///
    /// A value that cannot be encoded cannot be stored either, and is left out.
    var allowedTexts: [String]? {
        if case .list(let values) = validation?.form {
            return values.compactMap { KeyCoding.isNil($0) ? nil : text(ofAllowed: $0) }
        }
        return codec.isCodable ? ValueSchema.allowedTexts(of: KeyCoding.wholeType) : nil
    }

    /// Why the validation refuses a value, with the list of allowed ones; nil if it does not.
    ///
    /// The list of a secret key is left out.
    func refusal(of value: Value, at place: KeyPlace) -> String? {
        guard let reason = validation?.objection(value) else { return nil }
        guard case .list = validation?.form, !place.isOfSecret, let texts = allowedTexts else {
            return reason
        }
        return reason + ": " + AllowedValues.text(texts)
    }

    /// The bounds of the validation, as texts that can be read back; nil if it has none.
    var allowedBounds: (lowerBound: String, upperBound: String)? {
        guard case .range(let least?, let greatest?, isOpen: false) = validation?.form,
            let least = text(ofAllowed: least), let greatest = text(ofAllowed: greatest)
        else { return nil }
        return (least, greatest)
    }

    /// The bounds of the validation in words; nil if it has none.
    private var rangeInWords: String? {
        guard case .range(let least, let greatest, let isOpen) = validation?.form else { return nil }
        switch (least.flatMap(text(ofAllowed:)), greatest.flatMap(text(ofAllowed:))) {
        case (let least?, let greatest?): return "\(least) to \(isOpen ? "below " : "")\(greatest)"
        case (let least?, nil): return "\(least) or more"
        case (nil, let greatest?): return isOpen ? "below \(greatest)" : "\(greatest) or less"
        case (nil, nil): return nil
        }
    }

    private func text(ofAllowed value: Value) -> String? {
        do { return AllowedValues.text(try StoredValue(validating: codec.encode(value)).value) } catch {
            return nil
        }
    }
}

/// The meaning of a text from the command line or the environment.
extension KeyCoding {
    /// Returns the stored form of bare texts: of the last one, or of all if the key is a list.
    ///
    /// A list of strings, Booleans, numbers or cases is written between commas or as JSON. A `String` is the
    /// text as it is. A `Bool` may be one of the words of `BareText.truth`, a number also `+5` and `.5`.
    /// Otherwise the text is JSON if that is a value of the key; otherwise a bare word, and at last the word
    /// without surrounding white space.
    ///
    /// - Throws: `.typeMismatch`, `.invalidValue`: why no form is a value of the key.
    func text(
        ofBare texts: [String], at place: KeyPlace, default makeDefault: () -> Value
    ) throws(DefaultsError) -> StoredValue {
        let forms = listedType.map { ListText.forms(of: texts, $0) } ?? KeyCoding.forms(of: texts.last ?? "")
        // A part of a value to be combined need not be a value by itself.
        guard merge == .replace else {
            if let error = objection(toPart: forms[0], at: place, default: makeDefault) { throw error }
            return forms[0]
        }
        var first: DefaultsError?
        for form in forms {
            guard let error = objection(to: form, at: place, default: makeDefault) else { return form }
            // A form of the right type that is not allowed makes a better error than one of another type.
            if first == nil || first?.code == .typeMismatch && error.code == .invalidValue { first = error }
        }
        throw first ?? place.error(.typeMismatch, "it is no value of the key")
    }

    func texts(
        at place: @escaping @Sendable (_ isSecret: Bool) -> KeyPlace,
        default makeDefault: @escaping @Sendable () -> Value
    ) -> KeyDeclaration.Texts {
        KeyDeclaration.Texts(
            reading: { (texts, isSecret) throws(DefaultsError) in
                try text(ofBare: texts, at: place(isSecret), default: makeDefault)
            },
            isList: { listedType != nil },
            example: { isSecret in example(at: place(isSecret), default: makeDefault) },
            allowed: { KeyDeclaration.Allowed(values: allowedTexts, range: rangeInWords) },
            members: { memberPaths(default: makeDefault) },
            member: { (text, path, isSecret) throws(DefaultsError) in
                try self.text(ofBare: text, forMember: path, at: place(isSecret), default: makeDefault)
            })
    }

    /// The type of the elements of a list of strings, Booleans, numbers or cases in their usual form;
    /// otherwise nil.
    private var listedType: (any Any.Type)? {
        guard codec.isCodable, let list = KeyCoding.wholeType as? any ElementList.Type else { return nil }
        let element = list.elementType
        let isOfWords =
            element == String.self || element == Bool.self || ValueSchema.isOfNumbers(element)
            || ValueSchema.allowedTexts(of: element) != nil
        return isOfWords ? element : nil
    }

    /// The possible forms of a text, the likeliest first; at least one.
    private static func forms(of text: String) -> [StoredValue] {
        let word = BareText.word(text)
        let json = BareText.json(text)
        if wholeType == String.self { return [word] + [json].compactMap(\.self) }
        if isTruth, let truth = BareText.truth(text) { return [StoredValue(.bool(truth))] }
        let trimmed = BareText.trimmed(text)
        if ValueSchema.isOfNumbers(wholeType), let number = NumberText.number(trimmed) {
            return [StoredValue(.number(number))]
        }
        // A Secret that was made with `echo` has a line end.
        return [json].compactMap(\.self) + [word] + (trimmed == text ? [] : [BareText.word(trimmed)])
    }
}

/// The meaning of texts under the names of members of the key's objects: `--limits.burst 3`.
extension KeyCoding {
    /// The paths of the members of the stored default, nested ones and optional ones that are nil included.
    func memberPaths(default makeDefault: () -> Value) -> [[String]] {
        guard codec.isCodable else { return [] }
        let value = makeDefault()
        do { return MemberPaths.of(value, as: try StoredValue(validating: codec.encode(value)).value) } catch
        {
            // The failure is reported where the default is used.
            return []
        }
    }

    /// Returns an object with one member.
    ///
    /// Its text is read as JSON, otherwise as a string, otherwise as a Boolean or a number as on the command
    /// line.
    ///
    /// - Throws: `.typeMismatch`: why no form is a member of the default's.
    func text(
        ofBare text: String, forMember path: [String], at place: KeyPlace, default makeDefault: () -> Value
    ) throws(DefaultsError) -> StoredValue {
        let forms = [
            BareText.json(text), BareText.word(text), BareText.truth(text).map { StoredValue(.bool($0)) },
            NumberText.number(BareText.trimmed(text)).map { StoredValue(.number($0)) },
            BareText.word(BareText.trimmed(text)),
        ].compactMap(\.self)
        let standard = try defaultText(at: place, default: makeDefault)
        var first: DefaultsError?
        for form in forms {
            let part = StoredValue(
                path.reversed().reduce(form.value) { .object(DefaultsObject([(key: $1, value: $0)])) })
            let whole = DefaultsMerge.deepMerge.combined([part, standard].compactMap(\.self)) ?? part
            do {
                _ = try codec.decode(Array(whole.bytes))
                return part
            } catch {
                first = first ?? place.error(.typeMismatch, foreign: describe(error), expecting: Value.self)
            }
        }
        throw first ?? place.error(.typeMismatch, "it is no value of the key")
    }
}

/// An example of a text that a key accepts, for a person whose text was refused.
extension KeyCoding {
    /// Returns a short text of the command line that the key accepts, the default if possible; nil if none is
    /// known.
    ///
    /// For a secret neither the default nor the validation's values are shown.
    func example(at place: KeyPlace, default makeDefault: () -> Value) -> String? {
        let own =
            place.isOfSecret
            ? [] : writtenDefaults(at: place, makeDefault) + [allowedTexts?.first, allowedBounds?.lowerBound]
        return (own.compactMap(\.self) + usualTexts).first { text in
            !text.isEmpty && text.utf8.count <= 100 && isTaken(text, at: place, default: makeDefault)
        }
    }

    private func isTaken(_ text: String, at place: KeyPlace, default makeDefault: () -> Value) -> Bool {
        do {
            let form = try self.text(ofBare: [text], at: place, default: makeDefault)
            return objection(to: form, as: .given, at: place, default: makeDefault) == nil
        } catch { return false }
    }

    /// The default as a person might write it, the shortest form first; empty for an empty list or object.
    private func writtenDefaults(at place: KeyPlace, _ makeDefault: () -> Value) -> [String?] {
        let text: StoredValue?
        do { text = try defaultText(at: place, default: makeDefault) } catch { return [] }
        switch text?.value {
        case .array(let elements):
            let words = elements.map(AllowedValues.text).joined(separator: ",")
            let isRead = listedType.map { ListText.forms(of: [words], $0) == text.map { [$0] } } ?? false
            return elements.isEmpty ? [] : [isRead ? words : text?.value.description]
        case .object(let members):
            let first = members.first.map { DefaultsValue.object(DefaultsObject([$0])).description }
            return first == nil ? [] : [first, text?.value.description]
        case let value: return [value.map(AllowedValues.text)]
        }
    }

    /// Usual texts of the type, whatever the validation.
    private var usualTexts: [String] {
        let type = KeyCoding.wholeType
        if let list = type as? any ElementList.Type {
            if list.elementType == String.self { return ["a,b", "a"] }
            return ValueSchema.isOfNumbers(list.elementType) ? ["1,2", "1"] : []
        }
        if type == Bool.self { return ["yes", "no"] }
        if ValueSchema.isOfNumbers(type) { return type is any BinaryInteger.Type ? ["5"] : ["0.5"] }
        return switch FoundationType(type) {
        case .date: ["2001-02-03T04:05:06Z"]
        case .duration: ["30s"]
        case .url: ["https://example.org"]
        case .uuid: ["E621E1F8-C36C-495A-93FC-0C247A3E6E5F"]
        default: type == String.self ? ["word"] : []
        }
    }
}

/// Whether a text can be a part of a value, which is combined with what other domains have.
extension KeyCoding {
    /// Why no value of the key has a text as its part.
    ///
    /// Missing members are no reason, because another domain may have them. Neither is the validation, which is for
    /// the whole value.
    func objection(
        toPart part: StoredValue, at place: KeyPlace, default makeDefault: () -> Value
    ) -> DefaultsError? {
        // Alone, an object is read only up to the first missing member; over the default it is read to its
        // end.
        for isOverDefault in merge == .deepMerge ? [false, true] : [false] {
            do {
                let text =
                    isOverDefault ? try mergedOnDefault(part, makeDefault) : merge.whole(part, over: nil)
                _ = try codec.decode(Array(text.bytes))
                return nil
            } catch {
                guard merge.lies(error, in: part.value) else { continue }
                return place.error(.typeMismatch, foreign: describe(error), expecting: Value.self)
            }
        }
        return nil
    }
}

extension DefaultsMerge {
    /// What a part has at a path.
    private enum Find { case nothing, open, closed }

    /// Whether the fault of a value lies in one part of it, so that no other part can correct it.
    fileprivate func lies(_ error: any Error, in part: DefaultsValue) -> Bool {
        switch error {
        case DecodingError.typeMismatch(_, let context):
            find(context.codingPath, in: part) != .nothing
        case DecodingError.keyNotFound(let key, let context):
            // A member that a part removes is not added by a part below it.
            find(context.codingPath, in: part) == .closed
                || find(context.codingPath + [key], in: part) == .closed
        case DecodingError.valueNotFound(_, let context), DecodingError.dataCorrupted(let context):
            find(context.codingPath, in: part) == .closed
        default:
            // The error has no path; elements seldom depend on one another, as members do.
            self != .deepMerge
        }
    }

    /// Looks up a path: open if parts of other domains are added there, closed if this part decides.
    private func find(_ path: [any CodingKey], in part: DefaultsValue) -> Find {
        var (here, isOpen) = (part, true)
        for key in path {
            isOpen = isOpen && takes(here)
            guard let next = here[key.stringValue] ?? key.intValue.flatMap({ here[$0] }) else {
                return isOpen ? .nothing : .closed
            }
            here = next
            // Lists are merged as a whole, but not their elements.
            isOpen = isOpen && self == .deepMerge
        }
        return isOpen && takes(here) ? .open : .closed
    }
}
