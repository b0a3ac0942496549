import DefaultsStore

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
