import DefaultsStore

/// An example of a text that a key takes, for a person whose own was not taken.
extension KeyCoding {
    /// Returns a short text of the command line that the key takes; nil if none is known.
    ///
    /// Of a secret neither the default nor the rule's values are shown.
    func example(at place: KeyPlace, default makeDefault: () -> Value) -> String? {
        let own =
            place.isOfSecret
            ? [] : [allowedTexts?.first, allowedBounds?.least, writtenDefault(at: place, makeDefault)]
        return (usualTexts + own.compactMap(\.self)).first { text in
            !text.isEmpty && text.utf8.count <= 100 && isTaken(text, at: place, default: makeDefault)
        }
    }

    private func isTaken(_ text: String, at place: KeyPlace, default makeDefault: () -> Value) -> Bool {
        do {
            let form = try self.text(ofBare: [text], at: place, default: makeDefault)
            return objection(to: form, as: .part, at: place, default: makeDefault) == nil
        } catch { return false }
    }

    private func writtenDefault(at place: KeyPlace, _ makeDefault: () -> Value) -> String? {
        do {
            return try defaultText(at: place, default: makeDefault).map { AllowedValues.text($0.value) }
        } catch {
            return nil
        }
    }

    /// What is usual for the type, whatever the rule.
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
        case .url: ["https://example.org"]
        case .uuid: ["E621E1F8-C36C-495A-93FC-0C247A3E6E5F"]
        default: type == String.self ? ["word"] : []
        }
    }
}
