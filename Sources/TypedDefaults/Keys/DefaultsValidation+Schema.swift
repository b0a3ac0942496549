import DefaultsStore

/// What a JSON Schema can say about a rule.
extension DefaultsValidation {
    /// Returns the bounds of numbers, or the allowed values of a type that writes each value in only one way;
    /// otherwise nothing, so that the schema refuses no value that the rule allows.
    ///
    /// - Parameter encode: returns what a value is stored as.
    func schema(_ encode: (Value) throws -> DefaultsValue) rethrows -> DefaultsObject {
        let type = KeyCoding<Value>.wholeType
        switch form {
        case .function: return [:]
        case .range(let least, let greatest):
            guard ValueSchema.isOfNumbers(type) else { return [:] }
            let bounds = [("minimum", try encode(least)), ("maximum", try encode(greatest))]
            // An infinite bound would be written as a string, and is no bound.
            return DefaultsObject(bounds.filter { $0.1.double != nil })
        case .list(let values):
            guard ValueSchema.isWrittenInOneWay(type) else { return [:] }
            return ["enum": .array(try values.map(encode))]
        }
    }
}

extension KeyCoding {
    /// Returns what a schema says about the key's rule; nothing for a codec that may write values in any way.
    func ruleSchema(at place: KeyPlace) throws(DefaultsError) -> DefaultsObject {
        guard codec.isCodable, let validation else { return [:] }
        do {
            return try validation.schema { try StoredValue(validating: codec.encode($0)).value }
        } catch {
            throw place.error(.encodingFailed, foreign: describe(error))
        }
    }
}
