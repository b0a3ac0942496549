import DefaultsStore

/// What a type asks of its decoder.
final class DecodingRequests {
    enum Kind: Equatable { case single, list, object }

    /// A member that was asked for.
    enum Member {
        /// By its type, as that type's schema.
        case value(DefaultsObject)
        /// As a container.
        case nested(DecodingRequests)
    }

    /// Members that the type is told are missing, because no example of them is known.
    let absent: Set<String>
    /// The case that the type is told is there, if it looks at the names.
    let chosen: String?
    /// Nil if the type asked for nothing, and so reads every value.
    private(set) var kind: Kind?
    /// Whether the type asked for containers of several kinds, or for several whole values.
    private(set) var isUnclear = false
    private(set) var single: DefaultsObject = [:]
    private(set) var members: [(name: String, member: Member)] = []
    /// The names that the type knows, if it asked which ones there are.
    private(set) var names: [String]?
    /// The member whose example was refused.
    private(set) var refused: String?

    init(absent: Set<String> = [], choosing chosen: String? = nil) {
        (self.absent, self.chosen) = (absent, chosen)
    }

    func open(_ asked: Kind) {
        isUnclear = isUnclear || kind != nil && kind != asked
        kind = asked
    }

    func add(single schema: DefaultsObject) {
        isUnclear = isUnclear || kind != nil
        (kind, single) = (.single, schema)
    }

    func add(_ member: Member, named name: String) {
        guard !members.contains(where: { $0.name == name }) else { return }
        members.append((name, member))
    }

    func refuse(_ name: String) { refused = name }

    func know(_ names: [String]) { self.names = names }
}

/// A decoder that records what a type asks for, and answers from the default or with examples.
struct RecordingDecoder: Decoder {
    let requests: DecodingRequests
    let learner: TypeSchema
    let path: CodingPath

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        requests.open(.object)
        return KeyedDecodingContainer(RecordingMembers(decoder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        requests.open(.list)
        return ElementDecoder(elements: learner.standard?.array ?? [], path: path)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { RecordingValue(decoder: self) }
}

/// A value decoded as a whole.
private struct RecordingValue: SingleValueDecodingContainer {
    let decoder: RecordingDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let schema = decoder.learner.of(type)
        decoder.requests.add(single: schema)
        let example = decoder.learner.standard ?? SchemaExample.of(schema) ?? .null
        return try ValueDecoder(value: example, path: decoder.path).decode(type)
    }

    // Preferred to the generic one, as in `WideIntegers`.
    func decode(_ type: Int128.Type) throws -> Int128 { try wide(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try wide(type) }
    private func wide<Value: Decodable>(_ type: Value.Type) throws -> Value { try decode(type) }
}

/// The members of an object.
private struct RecordingMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: RecordingDecoder

    private var requests: DecodingRequests { decoder.requests }
    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] {
        let names = EnumerationCases.all(of: Key.self)?.map(\.stringValue)
        if let names { requests.know(names) }
        let present = requests.chosen ?? decoder.learner.standard?.object?.first?.key ?? names?.first
        return [present.flatMap { Key(stringValue: $0) }].compactMap(\.self)
    }

    func contains(_ key: Key) -> Bool {
        guard requests.absent.contains(key.stringValue) else { return true }
        requests.add(.value([:]), named: key.stringValue)
        return false
    }

    func decodeNil(forKey key: Key) -> Bool { !contains(key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let inner = decoder.learner.inside(key.stringValue)
        let schema = inner.of(type)
        requests.add(.value(schema), named: key.stringValue)
        let example = inner.standard ?? SchemaExample.of(schema) ?? .null
        do {
            return try ValueDecoder(value: example, path: .member(key, of: decoder.path)).decode(type)
        } catch {
            requests.refuse(key.stringValue)
            throw error
        }
    }

    // Preferred to the generic one, as in `WideIntegers`.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try wide(type, key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try wide(type, key) }
    private func wide<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value {
        try decode(type, forKey: key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedDecodingContainer<NestedKey> {
        nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
        nested(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { superDecoder(of: SuperKey.super) }

    func superDecoder(forKey key: Key) -> any Decoder { superDecoder(of: key) }

    private func nested(_ key: Key) -> RecordingDecoder {
        let inner = DecodingRequests()
        requests.add(.nested(inner), named: key.stringValue)
        return RecordingDecoder(
            requests: inner, learner: decoder.learner.inside(key.stringValue),
            path: .member(key, of: decoder.path))
    }

    private func superDecoder(of key: any CodingKey) -> any Decoder {
        requests.add(.value([:]), named: key.stringValue)
        return ValueDecoder(
            value: decoder.learner.inside(key.stringValue).standard ?? .null,
            path: .member(key, of: decoder.path))
    }
}
