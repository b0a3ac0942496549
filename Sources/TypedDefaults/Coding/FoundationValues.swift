import DefaultsStore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The values of Foundation that people want to read otherwise than Foundation writes them.
extension Date: DirectlyEncoded, DirectlyDecoded {
    /// ISO 8601 in UTC; a number of seconds since 2001 where the year has not four digits.
    func encoded(at place: EncodingPlace) -> DefaultsValue {
        guard let text = DateText.text(of: timeIntervalSinceReferenceDate) else {
            return timeIntervalSinceReferenceDate.encoded(at: place)
        }
        return .string(text)
    }

    init(decoding value: DefaultsValue, at path: CodingPath) throws {
        switch value {
        case .number, .string("Infinity"), .string("-Infinity"), .string("NaN"):
            self.init(timeIntervalSinceReferenceDate: try Double(decoding: value, at: path))
        case .string(let text):
            guard let seconds = DateText.seconds(of: text) else {
                throw DecodingError.unfit("Date in ISO 8601", found: "another string", at: path)
            }
            self.init(timeIntervalSinceReferenceDate: seconds)
        default:
            throw DecodingError.mismatch(Date.self, found: value, at: path)
        }
    }
}

extension Data: DirectlyEncoded, DirectlyDecoded {
    func encoded(at place: EncodingPlace) -> DefaultsValue { .string(base64EncodedString()) }

    init(decoding value: DefaultsValue, at path: CodingPath) throws {
        guard case .string(let text) = value else {
            throw DecodingError.mismatch(Data.self, found: value, at: path)
        }
        guard let data = Data(base64Encoded: text) else {
            throw DecodingError.unfit("Data in base64", found: "another string", at: path)
        }
        self = data
    }
}

extension URL: DirectlyEncoded, DirectlyDecoded {
    func encoded(at place: EncodingPlace) throws -> DefaultsValue {
        baseURL == nil ? .string(absoluteString) : try place.encodeItself(self)
    }

    /// Reads the text, or the object of a base and what is relative to it.
    init(decoding value: DefaultsValue, at path: CodingPath) throws {
        switch value {
        case .string(let text):
            guard let url = URL(string: text) else {
                throw DecodingError.unfit("URL", found: "another string", at: path)
            }
            self = url
        case .object:
            self = try URL(from: ValueDecoder(value: value, path: path))
        default:
            throw DecodingError.mismatch(URL.self, found: value, at: path)
        }
    }
}

extension Decimal: DirectlyEncoded, DirectlyDecoded {
    func encoded(at place: EncodingPlace) -> DefaultsValue {
        DefaultsNumber(description).map { .number($0) } ?? .string("NaN")
    }

    init(decoding value: DefaultsValue, at path: CodingPath) throws {
        switch value {
        case .string("NaN"):
            self = .nan
        case .number(let number):
            guard let decimal = Decimal(string: number.text), !decimal.isNaN else {
                throw DecodingError.unfit("Decimal", found: "a number it cannot hold", at: path)
            }
            self = decimal
        default:
            throw DecodingError.mismatch(Decimal.self, found: value, at: path)
        }
    }
}

/// Their schemas, for editors; a format is a hint to people and refuses nothing.
extension Date: SchemaDescribed {
    static var schema: DefaultsObject { ["type": ["string", "number"], "format": "date-time"] }
}

extension Data: SchemaDescribed {
    static var schema: DefaultsObject { ["type": "string", "contentEncoding": "base64"] }
}

extension URL: SchemaDescribed {
    static var schema: DefaultsObject { ["type": ["string", "object"], "format": "uri-reference"] }
}

extension UUID: SchemaDescribed {
    static var schema: DefaultsObject { ["type": "string", "format": "uuid"] }
}

extension Decimal: SchemaDescribed {
    static var schema: DefaultsObject { ["type": ["number", "string"], "pattern": "^NaN$"] }
}
