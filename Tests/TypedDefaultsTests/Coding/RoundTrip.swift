import Testing
import TypedDefaults

/// Encodes a value, compares its text, and expects the same value back.
func roundTrip<Value: Codable & Equatable & Sendable>(
    _ value: Value, expectedText: String? = nil, at location: SourceLocation = #_sourceLocation
) throws {
    let text = try encoded(value)
    if let expectedText { #expect(text == expectedText, sourceLocation: location) }
    #expect(try decoded(Value.self, from: text) == value, sourceLocation: location)
}

/// The text of a value by the codec that a key would use.
func encoded<Value: Codable & Sendable>(_ value: Value) throws -> String {
    String(decoding: try DefaultsCodec<Value>.codable.encode(value), as: UTF8.self)
}

/// The value of a text by the codec that a key would use.
func decoded<Value: Codable & Sendable>(_ type: Value.Type, from text: String) throws -> Value {
    try DefaultsCodec<Value>.codable.decode(Array(text.utf8))
}

/// What the error of a refused text says; nil when it was not refused.
func refusal<Value: Codable & Sendable>(of text: String, as type: Value.Type) -> String? {
    saying { _ = try decoded(type, from: text) }
}

/// What an error says in one line; nil when there is none.
func saying(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch {
        return describe(error)
    }
}
