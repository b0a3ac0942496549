import DefaultsStore

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
