/// The short way to read what most records are: one key's new value, as this library writes it.
extension JournalRecord {
    /// What such a record says; nil for any other, which the careful way reads.
    ///
    /// What this takes, the careful way takes too, for the same.
    static func readPlainly(_ text: ArraySlice<UInt8>) -> (process: Int32, change: KeyChange)? {
        // A pointer, because a poll of another process's set waits for this; each index is compared with the end first.
        guard let places = text.withUnsafeBytes({ plainPlaces(in: $0) }) else { return nil }
        let start = text.startIndex + places.value
        let end: Int
        if let known = places.end {
            end = text.startIndex + known
        } else {
            // Inside the record's object and the pair.
            var scanner = JSONScanner(text, levels: levels - 2)
            scanner.position = start
            do { end = try scanner.skipValue().upperBound } catch { return nil }
        }
        guard end == text.endIndex - 2, text[end] == UInt8(ascii: "]"), text[end + 1] == UInt8(ascii: "}")
        else { return nil }
        return (places.process, KeyChange(StoredValue(trusted: text[start..<end]), forKey: places.key))
    }

    /// The process, the key, and where its value begins and ends; no end where that is left to the careful way.
    private static func plainPlaces(
        in bytes: UnsafeRawBufferPointer
    ) -> (process: Int32, key: KeyName, value: Int, end: Int?)? {
        guard var plain = PlainScanner(bytes, at: 0), plain.passExactly("{\"p\":") else { return nil }
        var process: Int32 = 0
        let digits = plain.position
        var index = digits
        while index < bytes.count, case let digit = bytes[index] &- UInt8(ascii: "0"), digit < 10 {
            process = process &* 10 &+ Int32(digit)
            index += 1
        }
        // Nine digits do not overflow, and no number begins with a zero.
        guard 1...9 ~= index - digits, bytes[digits] != UInt8(ascii: "0") else { return nil }
        plain.position = index
        guard plain.passExactly(",\"s\":[") else { return nil }
        let start = plain.position
        // Most keys at eight bytes a step; one near the end of the text, or with what is not plain in it, at one.
        let hash = plain.passKey(hashingFrom: KeyHash.start)
        if hash == nil { plain.position = endOfKey(in: bytes, at: start) }
        let comma = plain.position
        guard comma > start, comma < bytes.count, bytes[comma] == UInt8(ascii: ",") else { return nil }
        let string = String(
            decoding: UnsafeRawBufferPointer(rebasing: bytes[start + 1..<comma - 1]), as: UTF8.self)
        plain.position = comma + 1
        return (
            process, hash.map { KeyName(string, hash: $0) } ?? KeyName(string), comma + 1,
            plain.passValue() ? plain.position : nil
        )
    }

    /// Where a key without escapes ends, behind its quote; the start where there is none.
    private static func endOfKey(in bytes: UnsafeRawBufferPointer, at start: Int) -> Int {
        guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") else { return start }
        var index = start + 1
        while index < bytes.count, isPlain(bytes[index]) { index += 1 }
        return index < bytes.count && bytes[index] == UInt8(ascii: "\"") ? index + 1 : start
    }

    /// Neither the end of a text, nor an escape, nor a control character, nor beyond ASCII.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}
