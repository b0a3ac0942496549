import DefaultsStore

/// The codec of every `Codable` type.
extension DefaultsCodec where Value: Codable {
    /// The codec of a `Codable` type: every value is restored exactly.
    ///
    /// Members are written in the order in which the type encodes them, sets and dictionaries in a fixed
    /// order, so that equal values have equal text. Dates are ISO 8601, `Data` is base64, non-finite numbers
    /// are `"Infinity"`, `"-Infinity"` and `"NaN"`. Nested nils collapse into one `null`. A value more than
    /// 128 containers deep, or one that contains itself, throws an `EncodingError`. The text of a decoding
    /// error has types and coding paths, and no value.
    ///
    /// Except in a type that calls `encode(to:)` of a `Set` itself, instead of passing the set to a
    /// container. Its set is in random order, because only a container knows which type it is given. The same
    /// holds for a type that calls `encode(to:)` of a dictionary whose keys are not names, such as a `[Date:
    /// Int]`.
    public static var codable: DefaultsCodec {
        if let scalar = ScalarTypes.scalar(Value.self),
            let codec = scalar.scalarCodec as? DefaultsCodec
        {
            return codec.asCodable
        }
        return general.asCodable
    }

    /// The codec through a `DefaultsValue`, which handles every type and every spelling.
    package static var general: DefaultsCodec {
        DefaultsCodec(
            encode: { value in Array(StoredValue(try EncodingPlace.root.encode(value)).bytes) },
            decode: { text in
                do {
                    return try ValueDecoder(text: text).decode(Value.self)
                } catch let error as DecodingError {
                    throw error.withoutValue
                }
            })
    }
}
