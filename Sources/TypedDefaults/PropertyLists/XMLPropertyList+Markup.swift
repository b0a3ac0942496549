/// The tags, comments and texts an XML property list is made of.
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

    /// Passes what stands before the outermost element.
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

    /// Passes an opening tag; nil where a closing one comes next.
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

    /// The text of an element that has no others in it, and its closing tag passed.
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
