import DefaultsStore

/// A `Date` as ISO 8601 in UTC, or as a number of seconds since 2001 if the year does not have four digits.
///
/// Its own `Codable` form is always that number. A date of NaN is an error on reading and on writing, because
/// Foundation ends a program that prints it.
enum DateForm {
    static func encoded(_ value: some Encodable, at place: EncodingPlace) throws -> DefaultsValue {
        let own = try place.alone.encodeItself(value)
        if own == .string("NaN") { throw place.refusal(of: value, "a Date that is not a number") }
        guard case .number(let number) = own, let seconds = Double(number.text),
            let text = DateText.text(of: seconds)
        else { return own }
        return .string(text)
    }

    static func decoded<Value: Decodable>(_ type: Value.Type, by decoder: ValueDecoder) throws -> Value {
        switch decoder.value {
        case .number(let number):
            let date = try type.init(from: decoder)
            if let seconds = Double(number.text) { DoubtfulDates.meet(seconds, at: decoder.path) }
            return date
        case .string("Infinity"), .string("-Infinity"):
            return try type.init(from: decoder)
        case .string(let text):
            guard let seconds = DateText.seconds(of: text), let number = DefaultsNumber(seconds) else {
                throw DecodingError.unfit("Date in ISO 8601", found: "another string", at: decoder.path)
            }
            return try type.init(from: ValueDecoder(value: .number(number), path: decoder.path))
        default:
            throw DecodingError.mismatch(type, found: decoder.value, at: decoder.path)
        }
    }
}
