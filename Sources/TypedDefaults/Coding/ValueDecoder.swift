import DefaultsStore

/// A type that decodes itself from a `DefaultsValue`, without requesting containers.
protocol DirectlyDecoded {
    init(decoding value: DefaultsValue, at path: CodingPath) throws
}

/// The `Decoder` of stored values.
struct ValueDecoder: Decoder {
    let value: DefaultsValue
    let path: CodingPath

    init(value: DefaultsValue, path: CodingPath) {
        self.value = value
        self.path = path
    }

    /// A decoder of JSON text; text that is not JSON is corrupted data.
    init(text: [UInt8]) throws {
        do {
            self.init(value: try DefaultsValue(reading: text), path: .root)
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: [], debugDescription: "not JSON: \(error.reason)", underlyingError: error))
        }
    }

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Decodes the value as any type.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let direct = type as? any DirectlyDecoded.Type { return try decode(type, directly: direct) }
        if let foundation = FoundationType(type) { return try foundation.decoded(type, by: self) }
        do { return try type.init(from: self) } catch { throw failure(error, of: type) }
    }

    // Separate, like what follows, because nested types go through the function above once for each level, and a debug
    // build keeps room there for every value that it mentions.
    @inline(never)
    private func decode<Value>(
        _ type: Value.Type, directly direct: any DirectlyDecoded.Type
    ) throws -> Value {
        guard let decoded = try direct.init(decoding: value, at: path) as? Value else {
            throw DecodingError.mismatch(type, found: value, at: path)
        }
        return decoded
    }

    /// Returns a failure of a type's own code; that of one whose values can be listed names them.
    @inline(never)
    private func failure(_ error: any Error, of type: any Any.Type) -> any Error {
        guard let error = error as? DecodingError else { return error }
        return error.naming(ValueSchema.allowedTexts(of: type))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else {
            throw DecodingError.mismatch([String: Any].self, "an object", found: value, at: path)
        }
        return KeyedDecodingContainer(MemberDecoder(members: members, path: path))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else {
            throw DecodingError.mismatch([Any].self, "an array", found: value, at: path)
        }
        return ElementDecoder(elements: elements, path: path)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { SingleValueDecoder(decoder: self) }
}

/// A value decoded as a whole.
struct SingleValueDecoder: SingleValueDecodingContainer {
    let decoder: ValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.value.isNull }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
}
