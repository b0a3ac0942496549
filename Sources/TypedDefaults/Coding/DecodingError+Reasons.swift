import DefaultsStore

/// The reasons why a value cannot be decoded; they name types and never values.
extension DecodingError {
    /// The value is of another kind than the type needs; `null` is a case of its own, as the protocol requires.
    static func mismatch(
        _ type: Any.Type, _ expected: String? = nil, found value: DefaultsValue, at path: CodingPath
    ) -> DecodingError {
        let context = context("expected \(expected ?? "\(type)"), found \(value.kind)", at: path)
        return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// The value is of the right kind, but the type cannot represent it.
    static func unfit(_ expected: String, found: String, at path: CodingPath) -> DecodingError {
        .dataCorrupted(context("expected \(expected), found \(found)", at: path))
    }

    static func missing(_ key: any CodingKey, of path: CodingPath) -> DecodingError {
        .keyNotFound(key, context("the member \"\(key.stringValue)\" is missing", at: path))
    }

    static func atEnd(_ type: Any.Type, at path: CodingPath) -> DecodingError {
        .valueNotFound(type, context("expected \(type), found the end of the array", at: path))
    }

    /// The same error with the values that there are instead, if these can be listed.
    func naming(_ allowed: [String]?) -> DecodingError {
        guard let allowed else { return self }
        func named(_ context: Context) -> Context {
            Context(
                codingPath: context.codingPath,
                debugDescription: context.debugDescription + "; allowed are " + AllowedValues.text(allowed),
                underlyingError: context.underlyingError)
        }
        return switch withoutValue {
        case .typeMismatch(let type, let context): .typeMismatch(type, named(context))
        case .valueNotFound(let type, let context): .valueNotFound(type, named(context))
        case .dataCorrupted(let context): .dataCorrupted(named(context))
        default: self
        }
    }

    private static func context(_ reason: String, at path: CodingPath) -> Context {
        Context(codingPath: path.keys, debugDescription: reason)
    }
}

extension DefaultsValue {
    /// The usual name of this kind of value.
    fileprivate var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        case .verbatim(let verbatim): verbatim.kind
        }
    }
}

extension DefaultsVerbatim {
    /// What it is that no other value can hold.
    var kind: String {
        isText ? "a text with half of a surrogate pair, which no String can have" : "what is nested too deep"
    }
}
