import DefaultsStore

/// The members of an object, as a type decodes them.
struct MemberDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: DefaultsObject
    let path: CodingPath

    var codingPath: [any CodingKey] { path.keys }

    /// Each name once, in the order of the text; one that no `String` can have is nobody's key.
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
