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

    // Separate functions, because every level of nesting goes through the one above, and in a debug build its
    // frame has room for every value that it mentions.
    @inline(never)
    private func decode<Value>(
        _ type: Value.Type, directly direct: any DirectlyDecoded.Type
    ) throws -> Value {
        guard let decoded = try direct.init(decoding: value, at: path) as? Value else {
            throw DecodingError.mismatch(type, found: value, at: path)
        }
        return decoded
    }

    /// A failure of a type's own code, with the list of allowed values if there is one.
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

/// The members of an object, as a type decodes them.
struct MemberDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: DefaultsObject
    let path: CodingPath

    var codingPath: [any CodingKey] { path.keys }

    /// Each name once, in the order of the text; a name that no `String` can have is left out.
    var allKeys: [Key] {
        var seen: Set<KeyName> = []
        return members.indices.map(members.name(at:)).compactMap { name in
            seen.insert(name).inserted && !name.hasHalves ? Key(stringValue: name.string) : nil
        }
    }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try member(key).value.isNull }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try member(key).decode(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try member(key).unkeyedContainer()
    }

    /// A superclass that encoded nothing left no member: it decodes `null`, as with `JSONDecoder`.
    func superDecoder() -> any Decoder { decoder(of: SuperKey.super) }

    func superDecoder(forKey key: Key) -> any Decoder { decoder(of: key) }

    func member(_ key: Key) throws -> ValueDecoder {
        guard let value = members[key.stringValue] else { throw DecodingError.missing(key, of: path) }
        return ValueDecoder(value: value, path: .member(key, of: path))
    }

    private func decoder(of key: any CodingKey) -> ValueDecoder {
        ValueDecoder(value: members[key.stringValue] ?? .null, path: .member(key, of: path))
    }
}

/// The elements of an array, as a type decodes them.
///
/// The index advances only when an element was decoded, so that a type may try another way.
struct ElementDecoder: UnkeyedDecodingContainer {
    private let elements: [DefaultsValue]
    private let path: CodingPath
    private(set) var currentIndex = 0

    init(elements: [DefaultsValue], path: CodingPath) {
        self.elements = elements
        self.path = path
    }

    var codingPath: [any CodingKey] { path.keys }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
        guard try element(as: Never?.self).value.isNull else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // Not by a closure, which takes two more frames of the stack for each level of nesting.
        let value = try element(as: type).decode(type)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try next(as: [String: Any].self) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next(as: [Any].self) { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next(as: (any Decoder).self) { $0 } }

    mutating func next<Result>(
        as type: Any.Type, _ decode: (ValueDecoder) throws -> Result
    ) throws -> Result {
        let result = try decode(try element(as: type))
        currentIndex += 1
        return result
    }

    private func element(as type: Any.Type) throws -> ValueDecoder {
        let place = CodingPath.element(currentIndex, of: path)
        guard !isAtEnd else { throw DecodingError.atEnd(type, at: place) }
        return ValueDecoder(value: elements[currentIndex], path: place)
    }
}
