import DefaultsStore

/// Which values are allowed, if they can be listed or have bounds.
extension KeyCoding {
    /// The only values there are, as texts that are read as them; nil if there is no list of them.
    ///
    /// A value that cannot be encoded cannot be stored either, and is left out.
    var allowedTexts: [String]? {
        if case .list(let values) = validation?.form {
            return values.compactMap { KeyCoding.isNil($0) ? nil : text(ofAllowed: $0) }
        }
        return codec.isCodable ? ValueSchema.allowedTexts(of: KeyCoding.wholeType) : nil
    }

    /// Returns why the rule refuses a value, with those it allows if it lists them; nil if it does not.
    ///
    /// Those of a secret are not named.
    func refusal(of value: Value, at place: KeyPlace) -> String? {
        guard let reason = validation?.objection(value) else { return nil }
        guard case .list = validation?.form, !place.isOfSecret, let texts = allowedTexts else {
            return reason
        }
        return reason + ": " + AllowedValues.text(texts)
    }

    /// The bounds of the rule, as texts that are read as them; nil if it has none.
    var allowedBounds: (least: String, greatest: String)? {
        guard case .range(let least, let greatest) = validation?.form, let least = text(ofAllowed: least),
            let greatest = text(ofAllowed: greatest)
        else { return nil }
        return (least, greatest)
    }

    private func text(ofAllowed value: Value) -> String? {
        do { return AllowedValues.text(try StoredValue(validating: codec.encode(value)).value) } catch {
            return nil
        }
    }
}
