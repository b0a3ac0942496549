import DefaultsStore

/// Which values are allowed, if they can be listed.
extension KeyCoding {
    /// The only values there are, as texts that are read as them; nil if there is no list of them.
    ///
    /// A value that cannot be encoded cannot be stored either, and is left out.
    var allowedTexts: [String]? {
        if case .list(let values) = validation?.form {
            return values.compactMap { KeyCoding.isNil($0) ? nil : text(ofAllowed: $0) }
        }
        guard codec.isCodable, case .array(let cases) = ValueSchema.of(KeyCoding.wholeType)["enum"] else {
            return nil
        }
        return cases.map(KeyCoding.text)
    }

    private func text(ofAllowed value: Value) -> String? {
        do { return KeyCoding.text(of: try StoredValue(validating: codec.encode(value)).value) } catch {
            return nil
        }
    }

    /// Returns a value as one would write it on a command line: a string without quotes, any other as JSON.
    private static func text(of value: DefaultsValue) -> String { value.string ?? value.description }
}
