import TypedDefaults

/// Reads an XML property list: the few elements of Apple's format, in UTF-8, and nothing else of XML.
///
/// Entities can only be the five of XML and characters by number. A document type with its own declarations
/// is refused, so that nothing expands beyond the text of the file.
struct XMLPropertyList {
    let bytes: [UInt8]
    var position = 0
    private var depth = 0
    private var budget = PropertyListValue.most

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The value of the whole file.
    mutating func root() throws(PropertyListFault) -> PropertyListValue {
        try skipProlog()
        try expectTag("plist", allowsAttributes: true)
        try skipMisc()
        guard let tag = try openTag() else { throw fault("expected a value") }
        let value = try value(tag)
        try skipMisc()
        try expect("</plist")
        try closeBracket()
        try skipMisc()
        guard position == bytes.count else { throw fault("expected nothing more after </plist>") }
        return value
    }

    /// The value of an element whose opening tag has been passed.
    private mutating func value(_ tag: Tag) throws(PropertyListFault) -> PropertyListValue {
        budget -= 1
        guard budget >= 0 else { throw fault(PropertyListFault.tooMany, at: tag.start) }
        switch tag.name {
        case "dict", "array":
            guard depth < PropertyListValue.deepest else {
                throw fault(PropertyListFault.tooDeep, at: tag.start)
            }
            depth += 1
            defer { depth -= 1 }
            return tag.name == "dict" ? .dictionary(try members(tag)) : .array(try elements(tag))
        case "true", "false":
            guard try text(of: tag).isEmpty else { throw fault("expected <\(tag.name)/>", at: tag.start) }
            return .bool(tag.name == "true")
        default:
            return try scalar(tag.name, try text(of: tag), at: tag.start)
        }
    }

    private mutating func elements(_ array: Tag) throws(PropertyListFault) -> [PropertyListValue] {
        var elements: [PropertyListValue] = []
        guard !array.isEmpty else { return elements }
        try skipMisc()
        while let tag = try openTag() {
            elements.append(try value(tag))
            try skipMisc()
        }
        try close(array)
        return elements
    }

    private mutating func members(_ dictionary: Tag) throws(PropertyListFault) -> [PropertyListValue.Member] {
        var members: [PropertyListValue.Member] = []
        guard !dictionary.isEmpty else { return members }
        try skipMisc()
        while let tag = try openTag() {
            guard tag.name == "key" else { throw fault("expected <key>", at: tag.start) }
            let key = try text(of: tag)
            try skipMisc()
            guard let tag = try openTag() else { throw fault("expected a key's value") }
            guard tag.name != "key" else { throw fault("expected a key's value", at: tag.start) }
            members.append(PropertyListValue.Member(key: key, value: try value(tag)))
            try skipMisc()
        }
        try close(dictionary)
        return members
    }
}

/// The tags, comments and texts of an XML property list.
extension XMLPropertyList {
    /// An opening tag.
    struct Tag {
        let name: String
        /// Whether it closes itself.
        let isEmpty: Bool
        let start: Int
    }

    func fault(_ reason: String, at index: Int? = nil) -> PropertyListFault {
        PropertyListFault(reason, at: index ?? position, in: bytes)
    }

    private func has(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[position...].starts(with: $0) }
    }

    private mutating func take(_ text: StaticString) -> Bool {
        guard has(text) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    mutating func expect(_ text: StaticString) throws(PropertyListFault) {
        guard take(text) else { throw fault("expected \(text)") }
    }

    private mutating func skipBlanks() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    private mutating func skip(past end: StaticString, _ what: String) throws(PropertyListFault) {
        let start = position
        while !take(end) {
            guard position < bytes.count else { throw fault("\(what) does not end", at: start) }
            position += 1
        }
    }

    /// Passes white space and comments.
    mutating func skipMisc() throws(PropertyListFault) {
        skipBlanks()
        while take("<!--") {
            try skip(past: "-->", "a comment")
            skipBlanks()
        }
    }

    /// Passes the prolog, before the outermost element.
    mutating func skipProlog() throws(PropertyListFault) {
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            throw fault("the text is UTF-16; save it as UTF-8")
        }
        _ = take("\u{FEFF}")
        guard has("<") || has(" ") || has("\n") || has("\r") || has("\t") else {
            throw fault("it is neither an XML nor a binary property list")
        }
        skipBlanks()
        if take("<?xml") { try checkEncoding() }
        try skipMisc()
        if take("<!DOCTYPE") {
            let start = position
            try skip(past: ">", "the document type")
            guard !bytes[start..<position].contains(UInt8(ascii: "[")) else {
                throw fault("a document type with declarations of its own is refused", at: start)
            }
        }
        try skipMisc()
    }

    private mutating func checkEncoding() throws(PropertyListFault) {
        let start = position
        try skip(past: "?>", "the XML declaration")
        let words = String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
            .split { "=\"' \t\r\n?>".contains($0) }
        guard let place = words.firstIndex(of: "encoding"), place + 1 < words.count else { return }
        guard ["utf-8", "us-ascii", "ascii"].contains(words[place + 1]) else {
            throw fault("the text's encoding is not UTF-8", at: start)
        }
    }

    /// Passes an opening tag; nil if a closing one comes next.
    mutating func openTag(allowsAttributes: Bool = false) throws(PropertyListFault) -> Tag? {
        guard !has("</") else { return nil }
        let start = position
        guard take("<") else {
            throw fault(position < bytes.count ? "expected an element" : "the text ends too soon")
        }
        let name = bytes[position...].prefix { (0x61...0x7A).contains($0) }
        guard !name.isEmpty, name.count <= 16 else { throw fault("expected an element", at: start) }
        position += name.count
        let hasAttributes = position < bytes.count && [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position])
        if allowsAttributes, hasAttributes {
            try skip(past: ">", "a tag")
            return Tag(
                name: String(decoding: name, as: UTF8.self), isEmpty: bytes[position - 2] == 0x2F,
                start: start)
        }
        skipBlanks()
        let isEmpty = take("/")
        try expect(">")
        return Tag(name: String(decoding: name, as: UTF8.self), isEmpty: isEmpty, start: start)
    }

    mutating func expectTag(_ name: String, allowsAttributes: Bool) throws(PropertyListFault) {
        let tag = try openTag(allowsAttributes: allowsAttributes)
        guard let tag, tag.name == name, !tag.isEmpty else {
            throw fault("expected <\(name)>", at: tag?.start)
        }
    }

    /// Passes the rest of a closing tag.
    mutating func closeBracket() throws(PropertyListFault) {
        skipBlanks()
        try expect(">")
    }

    /// Passes the closing tag of an element.
    mutating func close(_ tag: Tag) throws(PropertyListFault) {
        let start = position
        guard take("</"), bytes[position...].starts(with: tag.name.utf8) else {
            throw fault("expected </\(tag.name)>", at: start)
        }
        position += tag.name.utf8.count
        try closeBracket()
    }

    /// The text of an element without children; its closing tag is passed.
    mutating func text(of tag: Tag) throws(PropertyListFault) -> String {
        guard !tag.isEmpty else { return "" }
        var text: [UInt8] = []
        while !has("</") {
            guard position < bytes.count else {
                throw fault("the text ends inside <\(tag.name)>", at: tag.start)
            }
            if take("<!--") {
                try skip(past: "-->", "a comment")
            } else if take("<![CDATA[") {
                let start = position
                try skip(past: "]]>", "a CDATA section")
                text += bytes[start..<position - 3]
            } else if bytes[position] == UInt8(ascii: "&") {
                text += try entity().utf8
            } else {
                text.append(try character())
            }
        }
        try close(tag)
        guard let valid = String(validating: text, as: UTF8.self) else {
            throw fault("the text is not UTF-8", at: tag.start)
        }
        return valid
    }

    private mutating func character() throws(PropertyListFault) -> UInt8 {
        let byte = bytes[position]
        guard byte >= 0x20 || [0x09, 0x0A, 0x0D].contains(byte) else {
            throw fault("a control character is not allowed in XML")
        }
        guard byte != UInt8(ascii: "<") else { throw fault("expected text, not an element") }
        position += 1
        return byte
    }

    private mutating func entity() throws(PropertyListFault) -> String {
        let start = position
        let rest = bytes[position...].prefix(12)
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { throw fault("the entity does not end") }
        let name = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
        position = end + 1
        let named = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
        if let text = named[name] { return text }
        let digits = name.hasPrefix("#x") ? name.dropFirst(2) : name.hasPrefix("#") ? name.dropFirst() : ""
        let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { $0 != 0x2B && $0 != 0x2D }
        let code = isNumber ? UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10) : nil
        guard let code, code != 0, let scalar = Unicode.Scalar(code) else {
            throw fault("the entity is none XML knows", at: start)
        }
        return String(Character(scalar))
    }
}

/// The texts inside the elements of an XML property list.
extension XMLPropertyList {
    /// The value of an element that contains only text.
    func scalar(_ name: String, _ text: String, at start: Int) throws(PropertyListFault) -> PropertyListValue
    {
        let value: PropertyListValue? =
            switch name {
            case "string": .string(text)
            case "integer": XMLPropertyList.integer(text).map { .integer($0) }
            case "real": XMLPropertyList.real(text).map { .real($0) }
            case "date": DateText.seconds(of: XMLPropertyList.trimmed(text)).map { .date($0) }
            case "data": Base64.bytes(of: text.utf8).map { .data($0) }
            default: throw fault("the element is none a property list has", at: start)
            }
        guard let value else { throw fault("the text is no <\(name)>", at: start) }
        return value
    }

    private static func trimmed(_ text: String) -> String {
        let isBlank: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let rest = text.utf8.drop(while: isBlank)
        let blanks = rest.reversed().prefix(while: isBlank).count
        return String(Substring(rest.dropLast(blanks)))
    }

    /// Decimal, or hexadecimal after `0x`, with a sign or without.
    private static func integer(_ text: String) -> Int128? {
        var digits = trimmed(text)[...]
        let isNegative = digits.hasPrefix("-")
        if isNegative || digits.hasPrefix("+") { digits.removeFirst() }
        let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        if isHexadecimal { digits.removeFirst(2) }
        guard let first = digits.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "+") else {
            return nil
        }
        return Int128((isNegative ? "-" : "") + digits, radix: isHexadecimal ? 16 : 10)
    }

    private static func real(_ text: String) -> Double? {
        let text = trimmed(text)
        switch text.lowercased() {
        case "nan": return .nan
        case "inf", "infinity", "+inf", "+infinity": return .infinity
        case "-inf", "-infinity": return -.infinity
        default:
            // `Double` reads more than a property list may contain, such as hexadecimal and `nan(1)`.
            let isDecimal = text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte)
            }
            guard isDecimal, let real = Double(text), real.isFinite else { return nil }
            return real
        }
    }
}
