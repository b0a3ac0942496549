import DefaultsStore

/// A `Data` as base64.
///
/// Its bytes are read as a collection: in its own `Codable` form each byte would be a number.
enum DataForm {
    static func encoded(_ value: some Encodable, at place: EncodingPlace) throws -> DefaultsValue {
        guard let sequence = value as? any Sequence, let bytes = bytes(of: sequence) else {
            throw place.refusal(of: value, "\(type(of: value)) does not give its bytes")
        }
        return .string(Base64.text(of: bytes))
    }

    static func decoded<Value: Decodable>(_ type: Value.Type, by decoder: ValueDecoder) throws -> Value {
        guard case .string(let text) = decoder.value else {
            throw DecodingError.mismatch(type, found: decoder.value, at: decoder.path)
        }
        guard let bytes = Base64.bytes(of: text.utf8, ignoringBlanks: false) else {
            throw DecodingError.unfit("Data in base64", found: "another string", at: decoder.path)
        }
        guard let collection = type as? any RangeReplaceableCollection.Type,
            let value = make(collection, of: bytes) as? Value
        else { throw DecodingError.mismatch(type, found: decoder.value, at: decoder.path) }
        return value
    }

    private static func bytes<Bytes: Sequence>(of sequence: Bytes) -> [UInt8]? {
        let atOnce = sequence.withContiguousStorageIfAvailable { storage in
            (storage as? UnsafeBufferPointer<UInt8>).map { Array($0) }
        }
        if let atOnce { return atOnce }
        return Array(sequence) as? [UInt8]
    }

    private static func make<Bytes: RangeReplaceableCollection>(
        _ type: Bytes.Type, of bytes: [UInt8]
    ) -> Bytes? {
        (bytes as? [Bytes.Element]).map { type.init($0) }
    }
}
