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

    package init(_ bytes: ArraySlice<UInt8>, levels: Int = deepest) {
        self.bytes = bytes
        self.levels = levels
        position = bytes.startIndex
    }

    /// A byte-order mark, white space and comments.
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

    package mutating func expect(_ byte: UInt8, _ reason: String) throws(JSONFault) {
        guard next == byte else { throw unexpected(reason) }
        position += 1
    }

    /// Nil at the end.
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

    @inline(never)
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

    @inline(never)
    func fault(_ reason: String, at index: Int? = nil) -> JSONFault {
        JSONFault(reason, at: index ?? position, in: bytes)
    }
}

/// Passes white space and comments.
extension JSONScanner {
    /// White space and comments.
    @inline(never)
    package mutating func skipTrivia() throws(JSONFault) {
        while position < bytes.endIndex {
            switch bytes[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"):
                position += 1
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                isPlain = false
                position += 1
            case UInt8(ascii: "/"):
                isPlain = false
                try skipComment()
            default:
                return
            }
        }
    }

    private mutating func skipComment() throws(JSONFault) {
        let start = position
        switch bytes[start...].dropFirst().first {
        case UInt8(ascii: "/"), UInt8(ascii: "*"):
            position = JSONScanner.endOfComment(at: start, in: bytes)
            if bytes[start + 1] == UInt8(ascii: "*"), !JSONScanner.isClosed(bytes[start..<position]) {
                throw fault("the comment does not end", at: start)
            }
        default:
            throw fault("a comment begins with // or /*")
        }
        try checkComment(start..<position)
    }

    /// Returns where a comment ends, whose two signs are at an index: before the line end, behind `*/`, or with the text.
    static func endOfComment(at start: Int, in text: ArraySlice<UInt8>) -> Int {
        if text[start + 1] == UInt8(ascii: "/") {
            return text[start...].firstIndex(where: \.isLineEnd) ?? text.endIndex
        }
        // "/*/" does not end what it begins.
        var index = start + 2
        while index + 1 < text.endIndex {
            if text[index] == UInt8(ascii: "*"), text[index + 1] == UInt8(ascii: "/") { return index + 2 }
            index += 1
        }
        return text.endIndex
    }

    /// Whether a block ends in `*/` of its own.
    private static func isClosed(_ block: ArraySlice<UInt8>) -> Bool {
        block.count >= 4 && block.suffix(2).elementsEqual("*/".utf8)
    }

    /// Checks a comment that has been passed, so that after a fault its contents are not taken for members.
    private func checkComment(_ range: Range<Int>) throws(JSONFault) {
        var index = range.lowerBound
        while index < range.upperBound {
            if bytes[index] == 0 { throw fault("a NUL byte is not text", at: index) }
            guard let length = lengthOfSequence(at: index) else { throw fault(Self.invalidUTF8, at: index) }
            index += length
        }
    }
}

extension UInt8 {
    var isLineEnd: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
    var isWhiteSpace: Bool { isBlank || isLineEnd }
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}

/// Reads values of any kind, into memory or past them.
extension JSONScanner {
    package mutating func value() throws(JSONFault) -> DefaultsValue {
        switch next {
        case UInt8(ascii: "\""):
            switch try string() {
            case .whole(let text): return .string(text)
            case let text: return .rawJSON(DefaultsRawJSON(text))
            }
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if depth > JSONScanner.deepest, depth < levels { return try rawJSON() }
            return next == UInt8(ascii: "{") ? .object(try object()) : .array(try array())
        case UInt8(ascii: "t"):
            try skipWord("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try skipWord("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try skipWord("null")
            return .null
        default:
            return .number(try number())
        }
    }

    /// Passes a value, which has to come next, and returns its range; nothing is built.
    ///
    /// Not by calling itself, because a file may be nested more deeply than a thread's stack.
    @discardableResult
    package mutating func skipValue() throws(JSONFault) -> Range<Int> {
        let start = position
        var list: List?
        /// The signs that close the lists around it.
        var outer: [UInt8] = []
        repeat {
            if next == UInt8(ascii: "{") || next == UInt8(ascii: "["), let open = next {
                if let list { outer.append(list.close) }
                list = try begin(open)
            } else {
                try skipScalar()
            }
            while var present = list {
                if try advance(&present) {
                    if present.isOfMembers { try skipKey() }
                    list = present
                    break
                }
                list = outer.popLast().map { List(continuing: $0) }
            }
        } while list != nil
        return start..<position
    }

    private mutating func skipScalar() throws(JSONFault) {
        switch next {
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "t"): try skipWord("true")
        case UInt8(ascii: "f"): try skipWord("false")
        case UInt8(ascii: "n"): try skipWord("null")
        default: try skipNumber()
        }
    }

    /// Passes a list that is nested more deeply than values are built.
    private mutating func rawJSON() throws(JSONFault) -> DefaultsValue {
        .rawJSON(DefaultsRawJSON(nested: bytes[try skipValue()]))
    }

    private mutating func object() throws(JSONFault) -> DefaultsObject {
        var members: [DefaultsObject.Element] = []
        var rawJSON: Set<Int> = []
        var list = try begin(UInt8(ascii: "{"))
        while try advance(&list) {
            switch try key() {
            case .whole(let name): members.append((key: name, value: try value()))
            case .withHalves(let name):
                rawJSON.insert(members.count)
                members.append((key: name, value: try value()))
            }
        }
        return DefaultsObject(members, rawJSON: rawJSON)
    }

    private mutating func array() throws(JSONFault) -> [DefaultsValue] {
        var elements: [DefaultsValue] = []
        var list = try begin(UInt8(ascii: "["))
        while try advance(&list) { elements.append(try value()) }
        return elements
    }

    private mutating func skipWord(_ word: String) throws(JSONFault) {
        guard bytes[position...].starts(with: word.utf8) else { throw unexpected("expected a value") }
        position += word.utf8.count
    }
}

/// Walks through what stands between brackets or braces, one element at a time.
///
///     var list = try scanner.begin(UInt8(ascii: "["))
///     while try scanner.advance(&list) { elements.append(try scanner.value()) }
extension JSONScanner {
    /// How far an array or object has been read.
    package struct List {
        let close: UInt8
        fileprivate var isFirst = true
        /// The position of the comma after the last element, if there is one.
        package fileprivate(set) var comma: Int?

        fileprivate init(closedBy close: UInt8) {
            self.close = close
        }

        /// A list of which an element has been passed.
        init(continuing close: UInt8) {
            self.close = close
            isFirst = false
        }

        var isOfMembers: Bool { close == UInt8(ascii: "}") }

        /// The rest of an object from the start of one of its members.
        static let restOfObject = List(closedBy: UInt8(ascii: "}"))
    }

    /// Passes an opening bracket or brace, which has to come next.
    package mutating func begin(_ open: UInt8) throws(JSONFault) -> List {
        let isArray = open == UInt8(ascii: "[")
        try expect(open, isArray ? "expected [" : "expected {")
        guard depth < levels else { throw fault(JSONFault.tooDeep, at: position - 1) }
        depth += 1
        return List(closedBy: isArray ? UInt8(ascii: "]") : UInt8(ascii: "}"))
    }

    /// Advances to the next element.
    ///
    /// - Returns: whether there is one; otherwise the list has been closed and passed.
    package mutating func advance(_ list: inout List) throws(JSONFault) -> Bool {
        list.comma = nil
        try skipTrivia()
        if next == list.close { return end() }
        if !list.isFirst {
            list.comma = position
            try expect(
                UInt8(ascii: ","),
                list.close == UInt8(ascii: "]") ? "expected a comma or ]" : "expected a comma or }")
            try skipTrivia()
            if next == list.close {
                isPlain = false
                return end()
            }
        }
        list.isFirst = false
        return true
    }

    private mutating func end() -> Bool {
        position += 1
        depth -= 1
        return false
    }

    /// With the colon and everything else before the value.
    package mutating func key() throws(JSONFault) -> JSONString {
        guard next == UInt8(ascii: "\"") else { throw unexpected("expected a key in double quotes") }
        let key = try string()
        try skipColon()
        return key
    }

    mutating func skipKey() throws(JSONFault) {
        guard next == UInt8(ascii: "\"") else { throw unexpected("expected a key in double quotes") }
        try skipString()
        try skipColon()
    }

    private mutating func skipColon() throws(JSONFault) {
        try skipTrivia()
        try expect(UInt8(ascii: ":"), "expected a colon after the key")
        try skipTrivia()
    }
}

/// Reads strings.
extension JSONScanner {
    /// The opening quote comes next.
    package mutating func string() throws(JSONFault) -> JSONString {
        try expect(UInt8(ascii: "\""), "expected a string in double quotes")
        var decoded: [UInt8] = []
        var isWhole = true
        while true {
            let start = position
            try skipUnescaped()
            if bytes[position] == UInt8(ascii: "\"") {
                let rest = bytes[start..<position]
                position += 1
                if decoded.isEmpty { return .whole(String(decoding: rest, as: UTF8.self)) }
                decoded += rest
                return isWhole
                    ? .whole(String(decoding: decoded, as: UTF8.self)) : JSONString(withHalves: decoded)
            }
            decoded += bytes[start..<position]
            let code = try escape()
            if let scalar = Unicode.Scalar(code) {
                decoded += UTF8.encode(scalar).map { Array($0) } ?? []
            } else {
                decoded += JSONString.half(code)
                isWhole = false
            }
        }
    }

    mutating func skipString() throws(JSONFault) {
        try expect(UInt8(ascii: "\""), "expected a string in double quotes")
        while true {
            try skipUnescaped()
            if bytes[position] == UInt8(ascii: "\"") { break }
            _ = try escape()
        }
        position += 1
    }

    /// Up to the next quote or backslash.
    private mutating func skipUnescaped() throws(JSONFault) {
        while position < bytes.endIndex {
            switch bytes[position] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                return
            case 0x20...0x7F:
                position += 1
            case 0x80...:
                guard let length = lengthOfSequence(at: position) else { throw fault(Self.invalidUTF8) }
                position += length
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                throw fault("the string does not end on its line")
            default:
                throw fault("a control character in a string has to be escaped")
            }
        }
        throw fault("the text ends inside a string")
    }

    /// Reads an escape, whose backslash comes next: a scalar, or half of a surrogate pair that stands alone.
    private mutating func escape() throws(JSONFault) -> UInt32 {
        let start = position
        position += 1
        let kind = next
        guard kind != UInt8(ascii: "u") else { return try unicodeEscape(from: start) }
        guard let scalar = kind.flatMap(Self.scalar(escapedBy:)) else {
            throw fault("the escape is not one JSON knows", at: start)
        }
        position += 1
        return scalar.value
    }

    private static func scalar(escapedBy letter: UInt8) -> Unicode.Scalar? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): Unicode.Scalar(letter)
        case UInt8(ascii: "b"): "\u{8}"
        case UInt8(ascii: "f"): "\u{C}"
        case UInt8(ascii: "n"): "\n"
        case UInt8(ascii: "r"): "\r"
        case UInt8(ascii: "t"): "\t"
        default: nil
        }
    }

    private mutating func unicodeEscape(from start: Int) throws(JSONFault) -> UInt32 {
        position += 1
        let code = try hexDigits(from: start)
        guard 0xD800..<0xDC00 ~= code,
            bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")])
        else { return code }
        let second = position
        position += 2
        let low = try hexDigits(from: second)
        if 0xDC00..<0xE000 ~= low { return 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00) }
        // This half stands alone; what follows may be the first half of a pair.
        position = second
        return code
    }

    private mutating func hexDigits(from start: Int) throws(JSONFault) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
                throw fault("\\u takes four hexadecimal digits", at: start)
            }
            code = code << 4 | UInt32(digit)
            position += 1
        }
        return code
    }
}

/// Reads numbers.
extension JSONScanner {
    static func isNumber(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        var scanner = JSONScanner(bytes[...])
        do {
            try scanner.skipNumber()
            return scanner.position == bytes.endIndex
        } catch {
            return false
        }
    }

    mutating func number() throws(JSONFault) -> DefaultsNumber {
        let start = position
        try skipNumber()
        return DefaultsNumber(trusted: String(decoding: bytes[start..<position], as: UTF8.self))
    }

    /// The sign or the first digit comes next.
    mutating func skipNumber() throws(JSONFault) {
        let isNegative = next == UInt8(ascii: "-")
        if isNegative { position += 1 }
        if next == UInt8(ascii: "0") {
            position += 1
            if next.map(\.isDigit) == true { throw fault("a number may not begin with a zero") }
        } else {
            try skipDigits(isNegative ? "expected a digit after the minus" : "expected a value")
        }
        if next == UInt8(ascii: ".") {
            position += 1
            try skipDigits("expected a digit after the decimal point")
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try skipDigits("expected a digit in the exponent")
        }
    }

    private mutating func skipDigits(_ expectation: String) throws(JSONFault) {
        guard next.map(\.isDigit) == true else { throw unexpected(expectation) }
        while position < bytes.endIndex, bytes[position].isDigit { position += 1 }
    }
}

/// Checks UTF-8 as the Unicode standard's table 3-7 has it.
extension JSONScanner {
    static let invalidUTF8 = "the bytes are not valid UTF-8"

    /// Returns the length of the encoded scalar at an index, nil if there is none.
    ///
    /// Overlong forms, surrogates and anything above U+10FFFF are not accepted.
    func lengthOfSequence(at index: Int) -> Int? {
        let lead = bytes[index]
        switch lead {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: return sequence(at: index, continuedBy: 1, second: 0x80...0xBF)
        case 0xE0: return sequence(at: index, continuedBy: 2, second: 0xA0...0xBF)
        case 0xED: return sequence(at: index, continuedBy: 2, second: 0x80...0x9F)
        case 0xE1...0xEF: return sequence(at: index, continuedBy: 2, second: 0x80...0xBF)
        case 0xF0: return sequence(at: index, continuedBy: 3, second: 0x90...0xBF)
        case 0xF1...0xF3: return sequence(at: index, continuedBy: 3, second: 0x80...0xBF)
        case 0xF4: return sequence(at: index, continuedBy: 3, second: 0x80...0x8F)
        default: return nil
        }
    }

    private func sequence(at index: Int, continuedBy count: Int, second: ClosedRange<UInt8>) -> Int? {
        guard index + count < bytes.endIndex, second.contains(bytes[index + 1]) else { return nil }
        for offset in 2..<(count + 1) where bytes[index + offset] & 0xC0 != 0x80 { return nil }
        return count + 1
    }
}
