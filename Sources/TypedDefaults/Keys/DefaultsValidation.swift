import DefaultsStore

/// The rule that a key's values have to keep.
///
/// A write that breaks it fails with `.invalidValue` and leaves the old value. A stored value that breaks it, such as
/// one edited by hand, is served as the default and stays as it is. A range of numbers and a list of allowed values
/// are in the key's schema too, so that an editor knows them.
///
/// The default need not keep the rule: it may say that nothing has been chosen yet, like a port of 0; only it cannot
/// be stored then.
public struct DefaultsValidation<Value: Sendable>: Sendable {
    /// What a rule says about values, for those who cannot run it.
    // Indirect, because otherwise the runtime would compute the layout of a pair of values for each key, in each new
    // process.
    indirect enum Form: Sendable {
        /// Only the function knows.
        case function
        case range(Value, Value)
        case list([Value])
    }

    let form: Form

    /// Returns why a value is not allowed; nil if it is.
    ///
    /// The reason states the rule, not the value.
    let objection: @Sendable (Value) -> String?

    /// Allows the values that a function accepts.
    public static func matching(_ isAllowed: @escaping @Sendable (Value) -> Bool) -> DefaultsValidation {
        DefaultsValidation(form: .function) { isAllowed($0) ? nil : "it does not match the key's rule" }
    }
}

extension DefaultsValidation where Value: Comparable {
    /// Allows the values between two bounds, including these.
    public static func range(_ range: ClosedRange<Value>) -> DefaultsValidation {
        DefaultsValidation(form: .range(range.lowerBound, range.upperBound)) {
            range.contains($0) ? nil : "it is outside \(range)"
        }
    }
}

extension DefaultsValidation where Value: Equatable {
    /// Allows some values and no others.
    public static func oneOf(_ values: Value...) -> DefaultsValidation {
        DefaultsValidation(form: .list(values)) {
            values.contains($0) ? nil : "it is not one of the allowed values"
        }
    }
}

extension DefaultsValidation {
    /// Allows no value, or one between two bounds, including these.
    public static func range<Wrapped: Comparable>(
        _ range: ClosedRange<Wrapped>
    ) -> DefaultsValidation where Value == Wrapped?, Wrapped: Sendable {
        DefaultsValidation(form: .range(range.lowerBound, range.upperBound)) { value in
            value.map(range.contains) ?? true ? nil : "it is outside \(range)"
        }
    }
}

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
