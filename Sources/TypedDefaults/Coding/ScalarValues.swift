import DefaultsStore

/// The scalars, which are values without containers.
extension Bool: DirectlyEncoded, DirectlyDecoded {
    func encoded(at place: EncodingPlace) -> DefaultsValue { .bool(self) }

    init(decoding value: DefaultsValue, at path: CodingPath) throws {
        guard case .bool(let bool) = value else {
            throw DecodingError.mismatch(Bool.self, found: value, at: path)
        }
        self = bool
    }
}

extension String: DirectlyEncoded, DirectlyDecoded {
    func encoded(at place: EncodingPlace) -> DefaultsValue { .string(self) }

    init(decoding value: DefaultsValue, at path: CodingPath) throws {
        guard case .string(let string) = value else {
            throw DecodingError.mismatch(String.self, found: value, at: path)
        }
        self = string
    }
}

extension FixedWidthInteger {
    func encoded(at place: EncodingPlace) -> DefaultsValue { .number(DefaultsNumber(self)) }

    init(decoding value: DefaultsValue, at path: CodingPath) throws {
        guard case .number(let number) = value else {
            throw DecodingError.mismatch(Self.self, found: value, at: path)
        }
        guard let integer = number.exactly(Self.self) else {
            throw DecodingError.unfit("\(Self.self)", found: "a number it cannot hold", at: path)
        }
        self = integer
    }
}

extension Int: DirectlyEncoded, DirectlyDecoded {}
extension Int8: DirectlyEncoded, DirectlyDecoded {}
extension Int16: DirectlyEncoded, DirectlyDecoded {}
extension Int32: DirectlyEncoded, DirectlyDecoded {}
extension Int64: DirectlyEncoded, DirectlyDecoded {}
extension Int128: DirectlyEncoded, DirectlyDecoded {}
extension UInt: DirectlyEncoded, DirectlyDecoded {}
extension UInt8: DirectlyEncoded, DirectlyDecoded {}
extension UInt16: DirectlyEncoded, DirectlyDecoded {}
extension UInt32: DirectlyEncoded, DirectlyDecoded {}
extension UInt64: DirectlyEncoded, DirectlyDecoded {}
extension UInt128: DirectlyEncoded, DirectlyDecoded {}

/// The floating-point types; JSON has no number for what is not finite, so that is a string.
extension Double: DirectlyEncoded, DirectlyDecoded {
    func encoded(at place: EncodingPlace) -> DefaultsValue { DefaultsValue(self) }
}

extension Float: DirectlyEncoded, DirectlyDecoded {
    func encoded(at place: EncodingPlace) -> DefaultsValue { DefaultsValue(self) }
}

extension BinaryFloatingPoint where Self: LosslessStringConvertible {
    /// The nearest value of this type, read from the digits themselves: a `Float` is never rounded twice.
    init(decoding value: DefaultsValue, at path: CodingPath) throws {
        switch value {
        case .string("Infinity"): self = .infinity
        case .string("-Infinity"): self = -.infinity
        case .string("NaN"): self = .nan
        case .number(let number):
            guard let nearest = Self(number.text), nearest.isFinite else {
                throw DecodingError.unfit("\(Self.self)", found: "a number it cannot hold", at: path)
            }
            self = nearest
        default: throw DecodingError.mismatch(Self.self, found: value, at: path)
        }
    }
}
