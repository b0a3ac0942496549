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

        /// Whether it is an object.
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

    /// Reads a member's key, the colon and whatever else precedes its value.
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
