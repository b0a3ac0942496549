import DefaultsStore

/// The members of an object, as a type encodes them.
///
/// One generic method satisfies every requirement of the protocol, since scalars are `DirectlyEncoded`.
struct MemberEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let partial: PartialValue

    var codingPath: [any CodingKey] { partial.place.path.keys }

    func encodeNil(forKey key: Key) { partial.set(.null, forKey: key) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        partial.set(try partial.place.member(key).encode(value), forKey: key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        ValueEncoder(partial: partial.partial(forKey: key, as: .object)).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        ValueEncoder(partial: partial.partial(forKey: key, as: .array)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { ValueEncoder(partial: partial.partial(forKey: SuperKey.super)) }

    func superEncoder(forKey key: Key) -> any Encoder { ValueEncoder(partial: partial.partial(forKey: key)) }
}
