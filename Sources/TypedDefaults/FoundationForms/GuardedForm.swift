import DefaultsStore

/// Types of Foundation that are stored in their own form, whose decoding traps on invalid input.
enum GuardedForm {
    /// Encodes a value; a form that could not be read back is an error here.
    static func encoded<Value: Encodable>(
        _ value: Value, _ foundation: FoundationType, at place: EncodingPlace
    ) throws -> DefaultsValue {
        let own = try place.encodeItself(value)
        guard let objection = objection(to: own, of: foundation) else { return own }
        throw place.refusal(of: value, "\(Value.self) with \(objection)")
    }

    static func decoded<Value: Decodable>(
        _ type: Value.Type, _ foundation: FoundationType, by decoder: ValueDecoder
    ) throws -> Value {
        guard case .object = decoder.value else {
            throw DecodingError.mismatch(type, found: decoder.value, at: decoder.path)
        }
        if let objection = objection(to: decoder.value, of: foundation) {
            throw DecodingError.unfit("\(type)", found: objection, at: decoder.path)
        }
        return try type.init(from: decoder)
    }

    private static func objection(to value: DefaultsValue, of foundation: FoundationType) -> String? {
        guard let members = value.object else { return nil }
        return switch foundation {
        case .urlComponents: objection(toURL: members)
        case .indexSet: objection(toIndexes: members)
        case .characterSet: objection(toCharacters: members)
        case .calendar: objection(toCalendar: members)
        case .dateInterval: objection(toInterval: members)
        default: nil
        }
    }

    /// The other parts are percent-encoded where necessary.
    private static func objection(toURL members: DefaultsObject) -> String? {
        if let port = members["port"]?.int, port < 0 { return "a port below zero" }
        guard let scheme = members["scheme"]?.string else { return nil }
        let isScheme =
            scheme.utf8.first.map(isLetter) ?? false
            && scheme.utf8.allSatisfy { isLetter($0) || "0123456789+-.".utf8.contains($0) }
        return isScheme ? nil : "a scheme that no URL can have"
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func objection(toIndexes members: DefaultsObject) -> String? {
        for range in members["indexes"]?.array ?? [] {
            guard let location = range["location"]?.int, let length = range["length"]?.int else {
                continue
            }
            let (end, isTooLarge) = location.addingReportingOverflow(length)
            guard location >= 0, length >= 0, !isTooLarge, end < Int.max else {
                return "a range of no indexes"
            }
        }
        return nil
    }

    /// The bitmap has 8,192 bytes for the first 65,536 characters; each further plane adds its number in a
    /// byte and 8,192 bytes.
    private static func objection(toCharacters members: DefaultsObject) -> String? {
        guard let bytes = members["bitmap"]?.string.flatMap({ Base64.bytes(of: $0.utf8) }) else { return nil }
        let planes = stride(from: 8_192, to: bytes.count, by: 8_193).map { bytes[$0] }
        let isWhole = bytes.count == 8_192 + planes.count * 8_193
        let isCounted =
            planes.allSatisfy { (1...16).contains($0) } && zip(planes, planes.dropFirst()).allSatisfy(<)
        return isWhole && isCounted ? nil : "no map of characters"
    }

    /// Most calendars trap on a large number, and on a small first day they search for the start of a week
    /// for ever.
    private static func objection(toCalendar members: DefaultsObject) -> String? {
        if let day = members["firstWeekday"]?.int, !(1...7).contains(day) {
            return "a first day that no week has"
        }
        guard let days = members["minimumDaysInFirstWeek"]?.int, !(1...7).contains(days) else { return nil }
        return "a first week of a length that no week has"
    }

    /// An end that is not a number traps when it is printed.
    private static func objection(toInterval members: DefaultsObject) -> String? {
        guard let start = seconds(members["start"]), let duration = seconds(members["duration"]) else {
            return nil
        }
        return duration < 0 || (start + duration).isNaN ? "a length or an end that no interval has" : nil
    }

    /// The seconds of a number or a date; nil for anything else, which the type itself refuses.
    private static func seconds(_ value: DefaultsValue?) -> Double? {
        switch value {
        case .number(let number): Double(number.text)
        case .string("NaN"): .nan
        case .string("Infinity"): .infinity
        case .string("-Infinity"): -.infinity
        case .string(let text): DateText.seconds(of: text)
        default: nil
        }
    }
}
