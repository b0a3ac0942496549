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

/// A value that is not a container; the last one encoded counts.
struct SingleValueEncoder: SingleValueEncodingContainer {
    let partial: PartialValue

    var codingPath: [any CodingKey] { partial.place.path.keys }

    func encodeNil() { partial.set(.null) }

    func encode<Value: Encodable>(_ value: Value) throws { partial.set(try partial.place.encode(value)) }
}
