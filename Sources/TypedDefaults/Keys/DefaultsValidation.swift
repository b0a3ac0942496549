import DefaultsStore

/// The validation that a key's values have to pass.
///
/// A write that breaks it fails with `.invalidValue` and leaves the old value. A stored value that breaks it,
/// such as one edited by hand, stays as it is; the next domain's value or the default is served. A range of
/// numbers and a list of allowed values are in the key's schema too, so that an editor knows them.
///
/// The default need not pass the validation: a port of 0 may say that nothing has been chosen yet. Such a default
/// cannot be stored.
public struct DefaultsValidation<Value: Sendable>: Sendable {
    /// The declarative form of a validation.
    // Indirect, because otherwise the runtime would compute the layout of a pair of values for each key, in each new
    // process.
    indirect enum Form: Sendable {
        /// Known to the function alone.
        case function
        /// The bounds; `isOpen` excludes the upper one.
        case range(Value?, Value?, isOpen: Bool = false)
        case list([Value])
    }

    let form: Form

    /// The reason why a value is not allowed; nil if it is allowed.
    ///
    /// It states the validation, not the value.
    let objection: @Sendable (Value) -> String?

    /// Allows the values that a function accepts.
    public static func `where`(_ isAllowed: @escaping @Sendable (Value) -> Bool) -> DefaultsValidation {
        DefaultsValidation(form: .function) { isAllowed($0) ? nil : "it does not pass the key's validation" }
    }
}

extension DefaultsValidation where Value: Comparable {
    /// Allows the values between two bounds, including these.
    public static func range(_ range: ClosedRange<Value>) -> DefaultsValidation {
        DefaultsValidation(form: .range(range.lowerBound, range.upperBound)) {
            range.contains($0) ? nil : "it is outside \(range)"
        }
    }

    /// Allows the values from the first bound up to the second, which is not allowed itself.
    public static func range(_ range: Range<Value>) -> DefaultsValidation {
        DefaultsValidation(form: .range(range.lowerBound, range.upperBound, isOpen: true)) {
            range.contains($0) ? nil : "it is outside \(range)"
        }
    }

    /// Allows the values from a bound upwards: `.range(1...)`.
    public static func range(_ range: PartialRangeFrom<Value>) -> DefaultsValidation {
        DefaultsValidation(form: .range(range.lowerBound, nil)) {
            range.contains($0) ? nil : "it is outside \(range.lowerBound)..."
        }
    }

    /// Allows the values up to a bound, including it: `.range(...10)`.
    public static func range(_ range: PartialRangeThrough<Value>) -> DefaultsValidation {
        DefaultsValidation(form: .range(nil, range.upperBound)) {
            range.contains($0) ? nil : "it is outside ...\(range.upperBound)"
        }
    }

    /// Allows the values below a bound: `.range(..<10)`.
    public static func range(_ range: PartialRangeUpTo<Value>) -> DefaultsValidation {
        DefaultsValidation(form: .range(nil, range.upperBound, isOpen: true)) {
            range.contains($0) ? nil : "it is outside ..<\(range.upperBound)"
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

/// The validations of optional values, which always allow nil.
extension DefaultsValidation {
    /// Allows no value, or one between two bounds, including these.
    public static func range<Wrapped: Comparable>(
        _ range: ClosedRange<Wrapped>
    ) -> DefaultsValidation where Value == Wrapped?, Wrapped: Sendable {
        lifted(.range(range))
    }

    /// Allows no value, or one from the first bound up to the second, which is not allowed itself.
    public static func range<Wrapped: Comparable>(
        _ range: Range<Wrapped>
    ) -> DefaultsValidation where Value == Wrapped?, Wrapped: Sendable {
        lifted(.range(range))
    }

    /// Allows no value, or one from a bound upwards: `.range(1...)`.
    public static func range<Wrapped: Comparable>(
        _ range: PartialRangeFrom<Wrapped>
    ) -> DefaultsValidation where Value == Wrapped?, Wrapped: Sendable {
        lifted(.range(range))
    }

    /// Allows no value, or one up to a bound, including it: `.range(...10)`.
    public static func range<Wrapped: Comparable>(
        _ range: PartialRangeThrough<Wrapped>
    ) -> DefaultsValidation where Value == Wrapped?, Wrapped: Sendable {
        lifted(.range(range))
    }

    /// Allows no value, or one below a bound: `.range(..<10)`.
    public static func range<Wrapped: Comparable>(
        _ range: PartialRangeUpTo<Wrapped>
    ) -> DefaultsValidation where Value == Wrapped?, Wrapped: Sendable {
        lifted(.range(range))
    }

    private static func lifted<Wrapped>(
        _ validation: DefaultsValidation<Wrapped>
    ) -> DefaultsValidation where Value == Wrapped? {
        var form = Form.function
        if case .range(let least, let greatest, let isOpen) = validation.form {
            // A bound that is missing is none, and not the value nil.
            form = .range(least.map(Optional.some), greatest.map(Optional.some), isOpen: isOpen)
        }
        return DefaultsValidation(form: form) { $0.flatMap(validation.objection) }
    }
}

/// A validation as JSON Schema.
extension DefaultsValidation {
    /// Returns the bounds of numbers, or the allowed values of a type that writes each value in only one way.
    ///
    /// Otherwise it is empty, so that the schema refuses no value that the validation allows.
    ///
    /// - Parameter encode: returns the stored form of a value.
    func schema(_ encode: (Value) throws -> DefaultsValue) rethrows -> DefaultsObject {
        let type = KeyCoding<Value>.wholeType
        switch form {
        case .function: return [:]
        case .range(let least, let greatest, let isOpen):
            guard ValueSchema.isOfNumbers(type) else { return [:] }
            let bounds = [("minimum", least), (isOpen ? "exclusiveMaximum" : "maximum", greatest)]
            let words = try bounds.compactMap { name, bound in try bound.map { (name, try encode($0)) } }
            // An infinite bound would be written as a string, and is no bound.
            return DefaultsObject(words.filter { $0.1.double != nil })
        case .list(let values):
            guard ValueSchema.isWrittenInOneWay(type) else { return [:] }
            return ["enum": .array(try values.map(encode))]
        }
    }
}

extension KeyCoding {
    /// Returns the schema of the key's validation; empty for a codec that may write values in any way.
    func ruleSchema(at place: KeyPlace) throws(DefaultsError) -> DefaultsObject {
        guard codec.isCodable, let validation else { return [:] }
        do {
            return try validation.schema { try StoredValue(validating: codec.encode($0)).value }
        } catch {
            throw place.error(.encodingFailed, foreign: describe(error))
        }
    }
}
