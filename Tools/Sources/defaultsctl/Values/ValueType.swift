import ArgumentParser
import DefaultsStore

/// What a word of the command line is taken for.
enum ValueType: String, CaseIterable, ExpressibleByArgument {
    case string, int, double, bool, null, json, date, data, uuid, url

    /// The value that a word is; without a type JSON where it is JSON, else a text.
    ///
    /// - Parameter isTyped: whether it stands in the command line, so that a complaint may have it.
    static func value(_ word: String, as type: ValueType?, isTyped: Bool = true) throws -> DefaultsValue {
        guard let type else { return try guess(word) }
        guard let value = try type.value(word) else {
            let name = isTyped ? SafeText.name(word) : "the value"
            throw Failure(.unusableInput, "\(name) is no \(type.rawValue): give \(type.form)")
        }
        return value
    }

    /// A bare word is a text, but what begins as JSON text, list or object has to be one.
    private static func guess(_ word: String) throws -> DefaultsValue {
        do { return try DefaultsValue(json: word) } catch {
            guard let first = word.first(where: { !$0.isWhitespace }), "{[\"".contains(first) else {
                return .string(word)
            }
            throw malformed(error)
        }
    }

    private static func malformed(_ error: DefaultsError) -> Failure {
        Failure(
            .unusableInput,
            "the value is no JSON at \(error.line ?? 1):\(error.column ?? 1): "
                + "\(error.underlyingDescription ?? ""); to store the text as it is, add --type string")
    }

    private func value(_ word: String) throws -> DefaultsValue? {
        switch self {
        case .string: return .string(word)
        case .int: return DefaultsNumber(word).flatMap { $0.usualInteger }.map { .count($0) }
        case .double: return DefaultsNumber(word).flatMap { $0.double == nil ? nil : .number($0) }
        case .bool: return ValueType.truth[word.lowercased()].map { .bool($0) }
        case .null: return word == "null" ? .null : nil
        case .json: do { return try DefaultsValue(json: word) } catch { throw ValueType.malformed(error) }
        case .date: return DateText.isDate(word) ? .string(word) : nil
        case .data: return isBase64(word) ? .string(word) : nil
        case .uuid: return isUUID(word) ? .string(word.uppercased()) : nil
        case .url: return AddressText.isAddress(word) ? .string(word) : nil
        }
    }

    /// Whether a stored text is a value of a program's key of the type.
    func isStored(_ text: String) -> Bool {
        switch self {
        case .date: DateText.isDate(text) || text == "Infinity" || text == "-Infinity"
        case .data: isBase64(text)
        case .uuid: isUUID(text)
        case .url: AddressText.isReference(text)
        default: true
        }
    }

    /// What a word of the type looks like.
    var form: String {
        switch self {
        case .string, .json: "any text"
        case .int: "a whole number from \(Int64.min) to \(UInt64.max), such as 42"
        case .double: "a number within the range of Double, such as 0.5"
        case .bool: "true or false, yes or no, on or off, 1 or 0"
        case .null: "null"
        case .date: "a time, such as 2026-11-21T18:25:48Z"
        case .data: "bytes in base64, such as aGVsbG8="
        case .uuid: "an identifier, such as 123E4567-E89B-12D3-A456-426614174000"
        case .url: "an address, such as https://example.com"
        }
    }

    /// The words that stand for a Boolean in every domain of the library.
    private static let truth = [
        "true": true, "yes": true, "on": true, "1": true, "y": true, "t": true,
        "false": false, "no": false, "off": false, "0": false, "n": false, "f": false,
    ]

    private func isBase64(_ word: String) -> Bool {
        word.utf8.count.isMultiple(of: 4) && word.wholeMatch(of: /[A-Za-z0-9+\/]*={0,2}/) != nil
    }

    private func isUUID(_ word: String) -> Bool {
        word.wholeMatch(of: /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/) != nil
    }
}

extension DefaultsNumber {
    /// The number as an integer that programs have types for, of 64 bits with or without a sign.
    var usualInteger: Int128? {
        exactly(Int64.self).map { Int128($0) } ?? exactly(UInt64.self).map { Int128($0) }
    }

    /// Whether there is nothing behind its point.
    var isWhole: Bool { exactly(Int128.self) != nil }
}
