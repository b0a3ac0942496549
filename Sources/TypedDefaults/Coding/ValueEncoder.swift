import DefaultsStore

/// The `Encoder` of stored values.
struct ValueEncoder: Encoder {
    let partial: PartialValue

    var codingPath: [any CodingKey] { partial.place.path.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        partial.open(.object)
        if type == dictionaryKeyType { partial.sortMembers() }
        return KeyedEncodingContainer(MemberEncoder(partial: partial))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        partial.open(.array)
        return ElementEncoder(partial: partial)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleValueEncoder(partial: partial)
    }
}

/// A value that is not a container; the last one encoded wins.
struct SingleValueEncoder: SingleValueEncodingContainer {
    let partial: PartialValue

    var codingPath: [any CodingKey] { partial.place.path.keys }

    func encodeNil() { partial.set(.null) }

    func encode<Value: Encodable>(_ value: Value) throws { partial.set(try partial.place.encode(value)) }
}

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

/// The elements of an array, as a type encodes them.
struct ElementEncoder: UnkeyedEncodingContainer {
    let partial: PartialValue

    var codingPath: [any CodingKey] { partial.place.path.keys }
    var count: Int { partial.count }

    func encodeNil() { partial.append(.null) }

    func encode<Value: Encodable>(_ value: Value) throws {
        partial.append(try partial.place.element(count).encode(value))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        ValueEncoder(partial: partial.appendPartial()).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        ValueEncoder(partial: partial.appendPartial()).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { ValueEncoder(partial: partial.appendPartial()) }
}
