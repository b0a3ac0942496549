public import DefaultsStore

extension DefaultsValue {
    /// Encodes a value as a key of its type does.
    package init(encoding value: some Encodable) throws { self = try EncodingPlace.root.encode(value) }

    /// Decodes a value as a key of its type does.
    ///
    /// - Parameter report: called with each ambiguous date in it.
    package func decoded<Value: Decodable>(
        as type: Value.Type, report: (DoubtfulDates.Finding) -> Void
    ) throws -> Value {
        let decoder = ValueDecoder(value: self, path: .root)
        return try DoubtfulDates.look({ try decoder.decode(type) }, tell: report)
    }
}

/// Any JSON as the value of a key, or as a member of one.
extension DefaultsValue: Codable {
    /// Decodes any JSON.
    ///
    /// A key gives every number its own text. Other decoders, such as `JSONDecoder`, give a whole number of
    /// up to 64 bits exactly, and a larger one if they know `Int128`. Any other number is the nearest
    /// `Double`, and members are in the order of their names.
    ///
    /// - Throws: `DecodingError` for a number beyond the range of a `Double`, and for a value that is not
    ///   JSON.
    public init(from decoder: any Decoder) throws {
        if let own = decoder as? ValueDecoder {
            self = own.value
            return
        }
        if let scalar = DefaultsValue.scalar(of: try decoder.singleValueContainer()) {
            self = scalar
        } else if var elements = ifOfThatKind({ try decoder.unkeyedContainer() }) {
            var array: [DefaultsValue] = []
            while !elements.isAtEnd { array.append(try elements.decode(DefaultsValue.self)) }
            self = .array(array)
        } else if ifOfThatKind({ try decoder.container(keyedBy: SuperKey.self) }) != nil {
            // As a dictionary, because a decoder's strategy for member names must not change names that are
            // data.
            let members = try decoder.singleValueContainer().decode([String: DefaultsValue].self)
            let sorted = members.sorted { KeyName($0.key) < KeyName($1.key) }
            self = .object(DefaultsObject(sorted.map { (key: $0.key, value: $0.value) }))
        } else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "expected a JSON value, its numbers in the range of a Double"))
        }
    }

    /// Encodes the value.
    ///
    /// A key stores every number with its own text, and members in their order. Other encoders, such as
    /// `JSONEncoder`, get a number as a whole one or as the nearest `Double`, and of two members with one
    /// name the last.
    ///
    /// - Throws: `EncodingError` for a number beyond the range of a `Double`, and for JSON that is kept
    ///   `rawJSON`. Also for two names that differ only in their Unicode form, which a dictionary cannot
    ///   have.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case _ where encoder is ValueEncoder:
            var container = encoder.singleValueContainer()
            try container.encode(self)
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .object(let members):
            let pairs = members.effective
            guard !pairs.contains(where: \.name.hasHalves) else {
                throw refusal(by: encoder, "a name with half of a surrogate pair")
            }
            let dictionary = Dictionary(pairs.map { ($0.name.string, $0.value) }, uniquingKeysWith: { $1 })
            guard dictionary.count == pairs.count else {
                throw refusal(by: encoder, "two names differ only in their Unicode form")
            }
            var container = encoder.singleValueContainer()
            try container.encode(dictionary)
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let bool):
            var container = encoder.singleValueContainer()
            try container.encode(bool)
        case .string(let string):
            var container = encoder.singleValueContainer()
            try container.encode(string)
        case .rawJSON(let rawJSON): throw refusal(by: encoder, rawJSON.kind)
        case .number(let number):
            guard try number.tryEncode(to: encoder) else {
                throw refusal(by: encoder, "a number beyond the range of a Double")
            }
        }
    }

    private func refusal(by encoder: any Encoder, _ reason: String) -> EncodingError {
        .invalidValue(self, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: reason))
    }

    /// The decoder's scalar; nil for anything else, and for a number that no type can hold.
    private static func scalar(of container: any SingleValueDecodingContainer) -> DefaultsValue? {
        if container.decodeNil() { return .null }
        if let bool = ifOfThatKind({ try container.decode(Bool.self) }) { return .bool(bool) }
        if let number = ifOfThatKind({ try container.decode(Int64.self) }) {
            return DefaultsValue(number)
        }
        if let number = ifOfThatKind({ try container.decode(UInt64.self) }) {
            return DefaultsValue(number)
        }
        if let number = ifOfThatKind({ try container.decode(Int128.self) }) {
            return DefaultsValue(number)
        }
        let number = ifOfThatKind { try container.decode(Double.self) }
        // A text may name a non-finite number; then the text is the value.
        if let number, number.isFinite { return DefaultsValue(number) }
        return ifOfThatKind { try container.decode(String.self) }.map { .string($0) }
    }
}

extension DefaultsNumber {
    /// Encodes the number as the first type that holds it; false if none does.
    fileprivate func tryEncode(to encoder: any Encoder) throws -> Bool {
        var container = encoder.singleValueContainer()
        if let number = exactly(Int64.self) {
            try container.encode(number)
        } else if let number = exactly(UInt64.self) {
            try container.encode(number)
        } else if let number = exactly(Int128.self), try isKnown({ try container.encode(number) }) {
            return true
        } else if let number = double {
            try container.encode(number)
        } else {
            return false
        }
        return true
    }

    /// Whether an encoder knows the type of a value; older ones do not know `Int128`.
    private func isKnown(_ encode: () throws -> Void) throws -> Bool {
        do {
            try encode()
            return true
        } catch is EncodingError { return false }
    }
}

/// The result; nil if the value is of another kind, which only an attempt can tell.
private func ifOfThatKind<Result>(_ read: () throws -> Result) -> Result? {
    // Any error, because `JSONDecoder` has a private one for a number of another type.
    do { return try read() } catch { return nil }
}

/// The value itself, with all its digits.
extension DefaultsValue: DirectlyEncoded, DirectlyDecoded {
    func encoded(at place: EncodingPlace) throws -> DefaultsValue {
        let left = EncodingPlace.maximumDepth - place.depth
        guard left >= 0, !isDeeper(than: left) else { throw place.tooDeep(self) }
        return self
    }

    init(decoding value: DefaultsValue, at path: CodingPath) { self = value }
}
