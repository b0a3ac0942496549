/// JSON that no other ``DefaultsValue`` can hold, as its text.
///
/// There are two kinds. A text with the escape of half of a surrogate pair, which JSON's grammar allows and no `String`
/// can have: `"x\ud83d"`. And an array or object inside more than 128 others. Both are read from a settings file and kept
/// there; decoding one as any type but ``DefaultsValue`` is a `.typeMismatch`.
public struct DefaultsRawJSON: Hashable, Sendable, CustomStringConvertible {
    /// The JSON text, on one line.
    public let text: String
    /// How deeply arrays and objects are nested in it.
    let depth: Int

    /// A text that no `String` can have.
    init(_ text: JSONString) {
        self.text = String(decoding: text.quoted, as: UTF8.self)
        depth = 0
    }

    /// An array or object that is nested too deeply, as the scanner has passed it.
    init(nested text: ArraySlice<UInt8>) {
        let line = JSONWriter.onOneLine(text)
        self.text = String(decoding: line.bytes, as: UTF8.self)
        depth = line.depth
    }

    package var isText: Bool { depth == 0 }

    /// The text.
    public var description: String { text }

    /// Whether both have the same text.
    public static func == (left: DefaultsRawJSON, right: DefaultsRawJSON) -> Bool {
        left.text.hasBytes(of: right.text)
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
