/// A strict reader of JSON text that knows where it stopped.
///
/// Beyond JSON it accepts what people write into settings files: `//` and `/* */` comments, trailing commas and a
/// leading byte-order mark. After a fault ``position`` is where reading gave up, which may be after the fault's
/// place.
package struct JSONScanner {
    /// How deeply arrays and objects may be nested.
    package static let deepest = 128

    let bytes: ArraySlice<UInt8>
    let levels: Int
    package internal(set) var position: Int
    var depth = 0
    /// Whether no line end, comment or trailing comma was passed, so that the text is as we would write it.
    package internal(set) var isPlain = true

    /// Starts before the first byte.
    package init(_ bytes: ArraySlice<UInt8>, levels: Int = deepest) {
        self.bytes = bytes
        self.levels = levels
        position = bytes.startIndex
    }

    /// Passes what may come before the first value: a byte-order mark, white space, comments.
    package mutating func skipStart() throws(JSONFault) {
        if bytes.isEmpty { throw fault("the text is empty") }
        if isUTF16 { throw fault("the text is UTF-16; save it as UTF-8") }
        if hasByteOrderMark { position += 3 }
        try skipTrivia()
    }

    /// Passes white space and comments, after which the text has to end.
    package mutating func skipEnd() throws(JSONFault) {
        try skipTrivia()
        if position < bytes.endIndex { throw unexpected("expected nothing more after the value") }
    }

    /// Passes one byte that has to come next.
    package mutating func expect(_ byte: UInt8, _ reason: String) throws(JSONFault) {
        guard next == byte else { throw unexpected(reason) }
        position += 1
    }

    /// The byte at the position, nil at the end.
    package var next: UInt8? {
        position < bytes.endIndex ? bytes[position] : nil
    }

    var hasByteOrderMark: Bool { Self.hasByteOrderMark(bytes[position...]) }

    /// Whether a text begins with a byte-order mark.
    // Byte by byte: the runtime would instantiate the type of an array, in each process for its first text.
    static func hasByteOrderMark(_ text: ArraySlice<UInt8>) -> Bool {
        let start = text.startIndex
        return text.count >= 3 && text[start] == 0xEF && text[start + 1] == 0xBB && text[start + 2] == 0xBF
    }

    private var isUTF16: Bool {
        guard bytes.count >= 2 else { return false }
        let start = bytes.startIndex
        let (first, second) = (bytes[start], bytes[start + 1])
        if (first, second) == (0xFE, 0xFF) || (first, second) == (0xFF, 0xFE) { return true }
        // Without the mark, every second byte of a text that begins in ASCII is zero.
        guard bytes.count >= 4, (first == 0) != (second == 0) else { return false }
        return (first == 0) == (bytes[start + 2] == 0) && (second == 0) == (bytes[start + 3] == 0)
    }

    /// Returns the fault of something unexpected at the position.
    func unexpected(_ expectation: String) -> JSONFault {
        guard let next else { return fault("the text ends too soon: " + expectation) }
        return switch next {
        case 0: fault("a NUL byte is not text")
        case 0x80...: unexpectedNonASCII(expectation)
        default: fault(expectation)
        }
    }

    private func unexpectedNonASCII(_ expectation: String) -> JSONFault {
        if hasByteOrderMark { return fault("a byte-order mark may only stand at the very start") }
        return lengthOfSequence(at: position) == nil ? fault(Self.invalidUTF8) : fault(expectation)
    }

    func fault(_ reason: String, at index: Int? = nil) -> JSONFault {
        JSONFault(reason, at: index ?? position, in: bytes)
    }
}
