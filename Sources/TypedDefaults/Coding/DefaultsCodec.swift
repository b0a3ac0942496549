/// Converts values of one type to the JSON text of a settings file, and back.
///
/// A codec is a value. A key of any `Codable` type uses ``codable``; any other type provides its own.
///
/// ```swift
/// struct Angle: Sendable { var degrees: Int }
///
/// struct InvalidAngle: Error {}
///
/// let angles = DefaultsCodec<Angle>(
///     encode: { Array(String($0.degrees).utf8) },
///     decode: { bytes in
///         let text = String(decoding: bytes, as: UTF8.self)
///         guard let degrees = Int(text) else { throw InvalidAngle() }
///         return Angle(degrees: degrees)
///     })
/// ```
///
/// The text must be one JSON value in UTF-8. Equal values should have equal text, because a change of the
/// bytes is a change of the value. Both closures may be called on any thread, several times at once. If one
/// throws, the stored value stays as it is.
public struct DefaultsCodec<Value: Sendable>: Sendable {
    /// The JSON text of a value.
    package let encode: @Sendable (Value) throws -> [UInt8]
    /// The value of a JSON text.
    package let decode: @Sendable ([UInt8]) throws -> Value
    /// Whether values are written by their type's `Codable` conformance, so that their shape follows from the type.
    package private(set) var isCodable = false

    /// Whether a plain text is read by ``ScalarCoded``.
    package private(set) var isScalar = false

    /// Creates a codec from its two directions.
    public init(
        encode: @escaping @Sendable (Value) throws -> [UInt8],
        decode: @escaping @Sendable ([UInt8]) throws -> Value
    ) {
        self.encode = encode
        self.decode = decode
    }

    package var asScalar: DefaultsCodec {
        var codec = self
        codec.isScalar = true
        return codec
    }

    package var asCodable: DefaultsCodec {
        var codec = self
        codec.isCodable = true
        return codec
    }
}
