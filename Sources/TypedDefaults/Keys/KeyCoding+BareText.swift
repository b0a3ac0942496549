import DefaultsStore

/// What a text from the command line or the environment means to a key.
extension KeyCoding {
    /// Returns the stored form of a bare text: as it is for a `String`; also yes, no, 1 and 0 for a `Bool`; otherwise
    /// JSON if that is a value of the key; otherwise a bare word.
    ///
    /// - Throws: `.typeMismatch`, `.invalidValue`: why neither form is a value of the key.
    func text(
        ofBare text: String, at place: KeyPlace, default makeDefault: () -> Value
    ) throws(DefaultsError) -> StoredValue {
        let forms = KeyCoding.forms(of: text)
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

    /// Returns the forms that a text may be meant in, the likeliest first; at least one.
    private static func forms(of text: String) -> [StoredValue] {
        let word = BareText.word(text)
        let json = BareText.json(text)
        if wholeType == String.self { return [word] + [json].compactMap(\.self) }
        if isTruth, let truth = BareText.truth(text) { return [StoredValue(.bool(truth))] }
        return [json].compactMap(\.self) + [word]
    }
}
