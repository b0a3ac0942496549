/// A text as one writes it in a shell: in quotes, if the shell would make something else of it.
package struct ShellWord: CustomStringConvertible {
    private let text: String

    package init(_ text: String) { self.text = text }

    /// The text, in single quotes if it has more than letters, digits and a few signs.
    package var description: String {
        if !text.isEmpty, text.utf8.allSatisfy(ShellWord.isPlain) { return text }
        let parts = text.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
        return "'" + parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: #"'\''"#) + "'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...: true
        case UInt8(ascii: "+")...UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "@"): true
        default: false
        }
    }
}
