/// A text between JSON's quotes.
///
/// JSON's grammar allows the escape of half of a surrogate pair, as in `"x\ud83d"`, which no `String` can have. Python and
/// JavaScript write it when they cut a text in two. It is no damage: it is kept, and only who asks for that very text is
/// told.
package enum JSONString: Hashable, Sendable {
    case whole(String)
    /// A text with such a half: as it is written between the quotes, in one spelling, so that equal texts are equal.
    case withHalves(String)

    /// Returns the three bytes that stand for a half while a text is read: UTF-8, if it allowed them.
    static func half(_ code: UInt32) -> [UInt8] {
        [0xE0 | UInt8(code >> 12), 0x80 | UInt8(code >> 6 & 0x3F), 0x80 | UInt8(code & 0x3F)]
    }

    /// Creates the text of bytes that are UTF-8 except for some halves.
    init(withHalves bytes: [UInt8]) {
        var text: [UInt8] = []
        JSONWriter.appendEscaped(bytes, to: &text)
        self = .withHalves(String(decoding: text, as: UTF8.self))
    }

    /// Nil if no `String` can have it.
    var whole: String? {
        if case .whole(let text) = self { text } else { nil }
    }

    /// The JSON text, quotes included.
    var quoted: [UInt8] {
        switch self {
        case .whole(let text): JSONWriter.quoted(text)
        case .withHalves(let written): [UInt8(ascii: "\"")] + written.utf8 + [UInt8(ascii: "\"")]
        }
    }
}
