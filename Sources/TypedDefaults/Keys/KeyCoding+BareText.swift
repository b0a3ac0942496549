import DefaultsStore

/// What a text from the command line or the environment means to a key.
extension KeyCoding {
    /// Returns the stored form of a bare text: as it is for a `String`; also yes, no, on, off, 1 and 0 for a `Bool`, and
    /// `+5` and `.5` for a number; otherwise JSON if that is a value of the key; otherwise a bare word.
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
        if ValueSchema.isOfNumbers(wholeType), let number = number(text) { return [number] }
        return [json].compactMap(\.self) + [word]
    }

    /// Returns a number that is written as many people do and JSON does not: `+5`, `.5`, `-.5`.
    private static func number(_ text: String) -> StoredValue? {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let hasSign = isNegative || text.utf8.first == UInt8(ascii: "+")
        let digits = hasSign ? text.dropFirst() : text[...]
        guard let first = digits.utf8.first, first != UInt8(ascii: "-"),
            first == UInt8(ascii: ".") || hasSign && !isNegative
        else { return nil }
        let spelled = (isNegative ? "-" : "") + (first == UInt8(ascii: ".") ? "0" : "") + digits
        return DefaultsNumber(spelled).map { StoredValue(.number($0)) }
    }
}
