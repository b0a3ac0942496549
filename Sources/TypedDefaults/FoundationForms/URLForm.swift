import DefaultsStore

/// A `URL` as its text; with a base, the object that Foundation encodes, of the base and the relative part.
enum URLForm {
    private static let relative = "relative"

    static func encoded(_ value: some Encodable, at place: EncodingPlace) throws -> DefaultsValue {
        if case .object(let parts) = try place.alone.encodeItself(value), parts.count == 1,
            let text = parts[relative]
        {
            return text
        }
        return try place.encodeItself(value)
    }

    static func decoded<Value: Decodable>(_ type: Value.Type, by decoder: ValueDecoder) throws -> Value {
        switch decoder.value {
        case .string:
            let parts = DefaultsObject([(key: relative, value: decoder.value)])
            do {
                return try type.init(from: ValueDecoder(value: .object(parts), path: decoder.path))
            } catch is DecodingError {
                throw DecodingError.unfit("URL", found: "another string", at: decoder.path)
            }
        case .object:
            return try type.init(from: decoder)
        default:
            throw DecodingError.mismatch(type, found: decoder.value, at: decoder.path)
        }
    }
}
