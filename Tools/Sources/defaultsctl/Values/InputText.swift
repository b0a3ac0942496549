import DefaultsStore

/// JSON that comes from a file or from standard input.
enum InputText {
    /// The longest text that is taken, in bytes: blanks and escapes may make it longer than what is stored of it.
    ///
    /// Without a limit an input that does not end would take all memory.
    private static let longest = 4 * System.greatestFile

    /// The text of a file; `-` is standard input.
    ///
    /// - Throws: also where that is more than 256 MiB.
    static func read(_ path: String) throws -> String {
        let bytes: [UInt8]
        if path == "-" {
            bytes = try System.readToEnd(System.input, "standard input", limit: longest)
        } else if let contents = try System.contents(path, limit: longest) {
            bytes = contents
        } else {
            throw missing(path)
        }
        return try text(bytes, from: name(path))
    }

    /// Bytes as text.
    static func text(_ bytes: [UInt8], from place: String) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.unusableInput, "\(place) is not UTF-8; save it as UTF-8")
        }
        return text
    }

    /// The members of a JSON object, each name once.
    static func object(from path: String) throws -> DefaultsObject {
        try object(read(path), from: name(path))
    }

    /// The same of a file that another file names.
    static func object(fromForeign path: String) throws -> DefaultsObject {
        guard let bytes = try System.contents(ofForeign: path) else { throw missing(path) }
        return try object(text(bytes, from: path), from: path)
    }

    /// The members of a text that is a JSON object, each name once.
    ///
    /// - Throws: with the place where it is none.
    static func object(_ text: String, from place: String) throws -> DefaultsObject {
        let value: DefaultsValue
        do { value = try DefaultsValue(json: text) } catch {
            throw Failure(
                .unusableInput,
                "\(place):\(error.line ?? 1):\(error.column ?? 1): \(error.underlyingDescription ?? "it is not JSON")"
            )
        }
        guard let members = value.object else {
            throw Failure(.unusableInput, "\(place): settings are one JSON object, {\"key\": value, ...}")
        }
        var seen: Set<DefaultsValue> = []
        for member in members where !seen.insert(.string(member.key)).inserted {
            throw Failure(
                .unusableInput,
                "\(place): the key \(SafeText.name(member.key)) stands there twice; delete one")
        }
        return members
    }

    private static func missing(_ path: String) -> Failure {
        Failure(.noSuchSuite, "there is no file \(path)")
    }

    /// What a place is called in complaints.
    static func name(_ path: String) -> String { path == "-" ? "standard input" : path }
}
