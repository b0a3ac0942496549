import DefaultsStore

/// A type that provides its `DefaultsValue` itself, without containers.
///
/// Scalars do so for speed, the others because the result of their own `encode(to:)` is not readable.
protocol DirectlyEncoded {
    func encoded(at place: EncodingPlace) throws -> DefaultsValue
}

/// The place of a value while it is encoded: its path, and the depth of containers around it.
struct EncodingPlace {
    /// The depth of containers that the reader of settings files accepts.
    static let maximumDepth = 128
    /// The limit of nested encoders: four for each container, which need 512 KiB of stack, in a debug build 1
    /// MiB.
    private static let maximumEncoders = 4 * maximumDepth

    let path: CodingPath
    /// Containers around this place.
    let depth: Int
    /// Encoders around this place; more than `depth` if types encode others as single values.
    private let encoders: Int

    static var root: EncodingPlace { EncodingPlace(path: .root, depth: 0, encoders: 0) }

    /// The same path at depth 0, for an intermediate form that is not stored at this depth.
    var alone: EncodingPlace { EncodingPlace(path: path, depth: 0, encoders: 0) }

    func member(_ key: any CodingKey) -> EncodingPlace {
        EncodingPlace(path: .member(key, of: path), depth: depth + 1, encoders: encoders)
    }

    func element(_ index: Int) -> EncodingPlace {
        EncodingPlace(path: .element(index, of: path), depth: depth + 1, encoders: encoders)
    }

    /// Encodes a value of any type at this place.
    func encode<Value: Encodable>(_ value: Value) throws -> DefaultsValue {
        if let direct = value as? any DirectlyEncoded { return try direct.encoded(at: self) }
        if let type = FoundationType(Value.self) { return try type.encoded(value, at: self) }
        return try encodeItself(value)
    }

    /// Encodes a value by its own `encode(to:)`, whatever its type.
    func encodeItself(_ value: some Encodable) throws -> DefaultsValue {
        guard depth <= Self.maximumDepth, encoders < Self.maximumEncoders else { throw tooDeep(value) }
        let partial = PartialValue(at: EncodingPlace(path: path, depth: depth, encoders: encoders + 1))
        try value.encode(to: ValueEncoder(partial: partial))
        return try partial.finished(for: value)
    }

    /// Throws if no further container may be opened here.
    func checkDepth(of value: Any) throws {
        guard depth < Self.maximumDepth else { throw tooDeep(value) }
    }

    /// The error for a value that cannot be encoded at this place.
    func refusal(of value: Any, _ reason: String) -> EncodingError {
        .invalidValue(value, EncodingError.Context(codingPath: path.keys, debugDescription: reason))
    }

    /// The error for a value that is nested deeper than a file allows.
    func tooDeep(_ value: Any) -> EncodingError {
        refusal(of: value, "\(type(of: value)) \(PartialValue.Fault.tooDeep.rawValue)")
    }
}
