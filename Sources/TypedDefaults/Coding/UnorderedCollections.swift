import DefaultsStore

/// Sets and dictionaries in an order that depends only on their contents.
///
/// Swift's own order differs from run to run. Elements are sorted by the bytes of their text.
extension Set: DirectlyEncoded where Element: Encodable {
    func encoded(at place: EncodingPlace) throws -> DefaultsValue {
        try place.checkDepth(of: self)
        let elements = try enumerated().map { try place.element($0.offset).encode($0.element) }
        return .array(elements.sorted(byTextOf: { $0 }))
    }
}

extension Dictionary: DirectlyEncoded where Key: Encodable, Value: Encodable {
    func encoded(at place: EncodingPlace) throws -> DefaultsValue {
        guard Key.self is any CodingKeyRepresentable.Type else { return .array(try pairs(at: place)) }
        let value = try place.encodeItself(self)
        guard case .object(let members) = value, members.count == count else {
            throw place.refusal(of: self, "two keys of \(Self.self) have one name")
        }
        return value
    }

    /// Keys and values alternately, as Swift encodes keys that are not names.
    private func pairs(at place: EncodingPlace) throws -> [DefaultsValue] {
        try place.checkDepth(of: self)
        let pairs = try enumerated().map { index, pair in
            [
                try place.element(2 * index).encode(pair.key),
                try place.element(2 * index + 1).encode(pair.value),
            ]
        }
        return pairs.sorted(byTextOf: { .array($0) }).flatMap { $0 }
    }
}

/// The coding key type with which a `Dictionary` encodes its members, which the standard library hides.
///
/// By it the encoder recognises a dictionary that a type encodes by `encode(to:)`, and sorts its members.
let dictionaryKeyType: Any.Type = type(of: "".codingKey)

extension Array {
    fileprivate func sorted(byTextOf value: (Element) -> DefaultsValue) -> [Element] {
        map { (text: StoredValue(value($0)).bytes, element: $0) }
            .sorted { $0.text.lexicographicallyPrecedes($1.text) }
            .map(\.element)
    }
}
