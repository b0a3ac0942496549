import DefaultsStore

/// The reasons why a value cannot be decoded; they name types and never values.
extension DecodingError {
    /// The value is of another kind than the type needs; `null` is a case of its own, as the protocol requires.
    @inline(never)  // No value is read faster for what is said about one that cannot be.
    static func mismatch(
        _ type: Any.Type, _ expected: String? = nil, found value: DefaultsValue, at path: CodingPath
    ) -> DecodingError {
        let context = context("expected \(expected ?? "\(type)"), found \(value.kind)", at: path)
        return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// The value is of the right kind, but the type cannot represent it.
    static func unfit(_ expected: String, found: String, at path: CodingPath) -> DecodingError {
        .dataCorrupted(context("expected \(expected), found \(found)", at: path))
    }

    static func missing(_ key: any CodingKey, of path: CodingPath) -> DecodingError {
        .keyNotFound(key, context("the member \"\(key.stringValue)\" is missing", at: path))
    }

    static func atEnd(_ type: Any.Type, at path: CodingPath) -> DecodingError {
        .valueNotFound(type, context("expected \(type), found the end of the array", at: path))
    }

    /// Adds the list of allowed values, if there is one.
    func naming(_ allowed: [String]?) -> DecodingError {
        guard let allowed else { return self }
        func named(_ context: Context) -> Context {
            Context(
                codingPath: context.codingPath,
                debugDescription: context.debugDescription + "; allowed are " + AllowedValues.text(allowed),
                underlyingError: context.underlyingError)
        }
        return switch withoutValue {
        case .typeMismatch(let type, let context): .typeMismatch(type, named(context))
        case .valueNotFound(let type, let context): .valueNotFound(type, named(context))
        case .dataCorrupted(let context): .dataCorrupted(named(context))
        default: self
        }
    }

    private static func context(_ reason: String, at path: CodingPath) -> Context {
        Context(codingPath: path.keys, debugDescription: reason)
    }
}

extension DefaultsValue {
    /// The usual name of this kind of value.
    fileprivate var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        case .rawJSON(let rawJSON): rawJSON.kind
        }
    }
}

extension DefaultsRawJSON {
    /// The kind of JSON that only this can hold.
    var kind: String {
        isText ? "a text with half of a surrogate pair, which no String can have" : "what is nested too deep"
    }
}

/// Removes the value from errors into which the standard library or Foundation puts one.
///
/// Errors are printed and logged, and a value may be a secret. Raw values, ranges, `Float16` and the identifiers of
/// calendars are the cases; they are recognised by their wording, since the error holds nothing else.
extension DecodingError {
    var withoutValue: DecodingError {
        guard case .dataCorrupted(let context) = self,
            let reason = Self.withoutValue(context.debugDescription)
        else {
            return self
        }
        return .dataCorrupted(Context(codingPath: context.codingPath, debugDescription: reason))
    }

    private static func withoutValue(_ reason: String) -> String? {
        if reason.hasPrefix("Cannot initialize ") {
            // Up to the earlier mark: the value follows it, may contain the other mark, and may have
            // megabytes.
            return reason.upTo([" value ", " with a lowerBound ("])
        }
        let calendar = "Invalid calendar identifier"
        if reason.hasPrefix(calendar) { return calendar }
        guard reason.hasPrefix("Parsed JSON number "), let type = reason.after(" does not fit in ") else {
            return nil
        }
        return "Parsed JSON number does not fit in \(type)"
    }
}

extension String {
    /// The text before the first of some marks.
    fileprivate func upTo(_ marks: [String]) -> String? {
        utf8.indices.first { place in marks.contains { utf8[place...].starts(with: $0.utf8) } }
            .map { String(self[..<$0]) }
    }

    /// The text after the last mark, which is searched for from the end.
    fileprivate func after(_ mark: String) -> String? {
        utf8.indices.reversed().first { utf8[$0...].starts(with: mark.utf8) }
            .map { String(self[utf8.index($0, offsetBy: mark.utf8.count)...]) }
    }
}

/// A coding error in one line: path and reason.
///
/// `window.size[2].width: expected Int, found a string`. Other errors are described by their own text.
package func describe(_ error: any Error) -> String {
    switch (error as? DecodingError)?.withoutValue ?? error {
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
        DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
        line(context.codingPath, context.debugDescription)
    case EncodingError.invalidValue(_, let context):
        line(context.codingPath, context.debugDescription)
    default:
        String(describing: error)
    }
}

private func line(_ path: [any CodingKey], _ reason: String) -> String {
    path.isEmpty ? reason : "\(text(of: path)): \(reason)"
}

private func text(of path: [any CodingKey]) -> String {
    path.reduce(into: "") { text, key in
        if let element = key as? ElementKey {
            text += "[\(element.index)]"
        } else if key.stringValue.utf8.allSatisfy(isPlain), !key.stringValue.isEmpty {
            text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
        } else {
            text += "[\(key.stringValue.debugDescription)]"
        }
    }
}

/// Whether a byte of a name needs no quotes in a path; letters beyond ASCII need none.
private func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...: true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
}
