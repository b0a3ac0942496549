/// Reads members at known positions: their text was validated when it was indexed.
struct MemberReader {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func key(at start: Int) -> KeyName {
        read(start) { (scanner) throws(JSONFault) in KeyName(try scanner.key()) }
    }

    /// - Parameter end: where the value ends, if that is known.
    func value(at start: Int, until end: Int?) -> Range<Int> {
        if let value = plainValue(at: start, until: end) { return value }
        return read(start) { (scanner) throws(JSONFault) in
            try scanner.skipKey()
            if let end { return scanner.position..<end }
            return try scanner.skipValue()
        }
    }

    private func plainValue(at start: Int, until end: Int?) -> Range<Int>? {
        // A pointer, because the quick scanner loads eight bytes at once; it stays inside the closure.
        bytes.withUnsafeBytes { text in
            guard var plain = PlainScanner(text, at: start), plain.passKey(hashingFrom: 0) != nil,
                plain.passColon()
            else { return nil }
            let first = plain.position
            // If there is a comment, the careful scanner finds where the value begins; a text that ends after the
            // colon has no value.
            guard first < text.count, text[first] != UInt8(ascii: "/") else { return nil }
            if let end { return first..<end }
            return plain.passValue() ? first..<plain.position : nil
        }
    }

    func comma(behind end: Int) -> Int? {
        var scanner = JSONScanner(bytes[...])
        scanner.position = end
        do { try scanner.skipTrivia() } catch {
            // Only after the last member of a damaged text, where a comma means nothing.
            return nil
        }
        return scanner.next == UInt8(ascii: ",") ? scanner.position : nil
    }

    /// Traps if no validated member begins there.
    private func read<Result>(
        _ start: Int, _ body: (inout JSONScanner) throws(JSONFault) -> Result
    ) -> Result {
        var scanner = JSONScanner(bytes[...], levels: .max)
        scanner.position = start
        do { return try body(&scanner) } catch {
            preconditionFailure("a member was not checked: \(error)")
        }
    }
}
