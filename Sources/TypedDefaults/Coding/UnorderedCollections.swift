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
        guard Key.self is any CodingKeyRepresentable.Type else {
            return try members(at: place) ?? .array(try pairs(at: place))
        }
        let value = try place.encodeItself(self)
        guard case .object(let members) = value, members.count == count else {
            throw place.refusal(of: self, "two keys of \(Self.self) have one name")
        }
        return value
    }

    /// An object, if the keys are strings by their raw values, as those of a string enumeration are;
    /// otherwise nil.
    ///
    /// Swift encodes such a dictionary as a list of keys and values, which is read too.
    private func members(at place: EncodingPlace) throws -> DefaultsValue? {
        guard hasStringsAsRawValues(Key.self) else { return nil }
        try place.checkDepth(of: self)
        var members: [DefaultsObject.Element] = []
        for (key, value) in self {
            // A type may encode another value than its raw value.
            guard let name = try place.encode(key).string else { return nil }
            members.append((name, try place.member(name.codingKey).encode(value)))
        }
        guard Set(members.map { KeyName($0.key) }).count == count else { return nil }
        let order = KeyName.order(of: members.map { KeyName($0.key) })
        return .object(DefaultsObject(order.map { members[$0] }))
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

/// Reading both forms of a dictionary whose keys are strings by their raw values, or integers.
///
/// Other libraries write such keys as names.
extension Dictionary: DirectlyDecoded where Key: Decodable, Value: Decodable {
    init(decoding value: DefaultsValue, at path: CodingPath) throws {
        if case .object(let members) = value, !(Key.self is any CodingKeyRepresentable.Type),
            hasNames(Key.self)
        {
            self = try Dictionary.read(members, at: path)
        } else {
            try self.init(from: ValueDecoder(value: value, path: path))
        }
    }

    // A separate function, because every level of nesting goes through the one above.
    @inline(never)
    private static func read(_ members: DefaultsObject, at path: CodingPath) throws -> [Key: Value] {
        var result: [Key: Value] = [:]
        for (name, member) in members.effective {
            let place = CodingPath.member(name.string.codingKey, of: path)
            let number = hasStringsAsRawValues(Key.self) ? nil : DefaultsNumber(name.string)
            let text = number.map { DefaultsValue.number($0) } ?? .string(name.string)
            let key = try ValueDecoder(value: text, path: place).decode(Key.self)
            result[key] = try ValueDecoder(value: member, path: place).decode(Value.self)
        }
        return result
    }
}

/// Whether the values of a type can be the names of an object's members, though Swift lists them.
func hasNames(_ type: any Any.Type) -> Bool {
    hasStringsAsRawValues(type) || type is any FixedWidthInteger.Type
}

/// Whether the values of a type are strings by their raw values.
func hasStringsAsRawValues(_ type: any Any.Type) -> Bool {
    func isString<Raw: RawRepresentable>(_ type: Raw.Type) -> Bool { Raw.RawValue.self == String.self }
    return (type as? any RawRepresentable.Type).map { isString($0) } ?? false
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
