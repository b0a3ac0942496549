import DefaultsStore

/// What a text from the command line or the environment means to a key.
extension KeyCoding {
    /// Returns the stored form of bare texts: for a list of strings, numbers or cases all of them, between commas or as
    /// JSON, otherwise the last one.
    ///
    /// That is as it is for a `String`; also yes, no, on, off, 1 and 0 for a `Bool`, and `+5` and `.5` for a number;
    /// otherwise JSON if that is a value of the key; otherwise a bare word.
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
            // A form of the right type that is not allowed says more than one of another type.
            if first == nil || first?.code == .typeMismatch && error.code == .invalidValue { first = error }
        }
        throw first ?? place.error(.typeMismatch, "it is no value of the key")
    }

    /// Returns what the suite has to know of the texts.
    func texts(
        at place: @escaping @Sendable (_ isSecret: Bool) -> KeyPlace,
        default makeDefault: @escaping @Sendable () -> Value
    ) -> KeyDeclaration.Texts {
        KeyDeclaration.Texts(
            reading: { (texts, isSecret) throws(DefaultsError) in
                try text(ofBare: texts, at: place(isSecret), default: makeDefault)
            },
            isList: { listedType != nil },
            example: { isSecret in example(at: place(isSecret), default: makeDefault) })
    }

    /// The type of the elements if the key is a list of strings, numbers or cases in their usual form; otherwise nil.
    private var listedType: (any Any.Type)? {
        guard codec.isCodable, let list = KeyCoding.wholeType as? any ElementList.Type else { return nil }
        let element = list.elementType
        let isOfWords =
            element == String.self || ValueSchema.isOfNumbers(element)
            || ValueSchema.allowedTexts(of: element) != nil
        return isOfWords ? element : nil
    }

    /// Returns the forms that a text may be meant in, the likeliest first; at least one.
    private static func forms(of text: String) -> [StoredValue] {
        let word = BareText.word(text)
        let json = BareText.json(text)
        if wholeType == String.self { return [word] + [json].compactMap(\.self) }
        if isTruth, let truth = BareText.truth(text) { return [StoredValue(.bool(truth))] }
        if ValueSchema.isOfNumbers(wholeType), let number = NumberText.number(text) {
            return [StoredValue(.number(number))]
        }
        return [json].compactMap(\.self) + [word]
    }
}
