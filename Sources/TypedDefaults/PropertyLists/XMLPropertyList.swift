/// Reads an XML property list: the few elements Apple's format has, in UTF-8, and nothing else of XML.
///
/// Entities can only be the five of XML and characters by number; a document type with declarations of its own is
/// refused, so that nothing unfolds to more than what stands in the file.
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
