import TypedDefaults

/// One line: a verb and the words behind it.
struct Command {
    let line: String
    let verb: String
    private let words: [String]

    init(_ line: String) {
        self.line = line
        let parts = line.split(separator: " ").map(String.init)
        verb = parts.first ?? ""
        words = Array(parts.dropFirst())
    }

    /// The words behind the verb, from a place on.
    func words(from place: Int) -> ArraySlice<String> { words.dropFirst(place) }

    /// The word at a place.
    func word(_ place: Int) throws -> String {
        guard words.indices.contains(place) else { throw Conversation.Misunderstood(line: line) }
        return words[place]
    }

    /// The whole number at a place.
    func number(_ place: Int, radix: Int = 10) throws -> Int {
        guard let number = Int(try word(place), radix: radix) else {
            throw Conversation.Misunderstood(line: line)
        }
        return number
    }

    /// The JSON value that goes from a place to the end of the line.
    func value(from place: Int) throws -> DefaultsValue {
        try StoredValue(validating: Array(words(from: place).joined(separator: " ").utf8)).value
    }
}
