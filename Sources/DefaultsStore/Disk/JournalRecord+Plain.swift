/// The short way to read what most records are: one key's new value, as this library writes it.
extension JournalRecord {
    /// What such a record says; nil for any other, which the careful way reads.
    ///
    /// What this takes, the careful way takes too, for the same.
    static func readPlainly(_ text: ArraySlice<UInt8>) -> (process: Int32, change: KeyChange)? {
        guard let places = plainPlaces(in: text) else { return nil }
        // Inside the record's object and the pair.
        var scanner = JSONScanner(text, levels: levels - 2)
        scanner.position = places.key.upperBound + 2
        let value: Range<Int>
        do { value = try scanner.skipValue() } catch { return nil }
        guard value.lowerBound == places.key.upperBound + 2, value.upperBound == text.endIndex - 2,
            text[value.upperBound] == UInt8(ascii: "]"), text[value.upperBound + 1] == UInt8(ascii: "}")
        else { return nil }
        let key = KeyName(String(decoding: text[places.key], as: UTF8.self))
        return (places.process, KeyChange(StoredValue(trusted: text[value]), forKey: key))
    }

    private static let opening: StaticString = "{\"p\":"
    private static let beforeKey: StaticString = ",\"s\":[\""

    /// The process, and where the key stands without its quotes; a comma follows.
    private static func plainPlaces(in text: ArraySlice<UInt8>) -> (process: Int32, key: Range<Int>)? {
        // A pointer, because a poll of another process's set waits for this; each index is compared with the end first.
        text.withUnsafeBufferPointer { bytes in
            guard var index = end(of: opening, in: bytes, at: 0) else { return nil }
            var process: Int32 = 0
            let digits = index
            while index < bytes.count, case let digit = bytes[index] &- UInt8(ascii: "0"), digit < 10 {
                process = process &* 10 &+ Int32(digit)
                index += 1
            }
            // Nine digits do not overflow, and no number begins with a zero.
            guard 1...9 ~= index - digits, bytes[digits] != UInt8(ascii: "0"),
                let start = end(of: beforeKey, in: bytes, at: index)
            else { return nil }
            index = start
            while index < bytes.count, isPlain(bytes[index]) { index += 1 }
            guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\""),
                bytes[index + 1] == UInt8(ascii: ",")
            else { return nil }
            return (process, text.startIndex + start..<text.startIndex + index)
        }
    }

    /// Neither the end of a text, nor an escape, nor a control character, nor beyond ASCII.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Where a text ends that has to stand at a place.
    private static func end(
        of wanted: StaticString, in bytes: UnsafeBufferPointer<UInt8>, at place: Int
    ) -> Int? {
        let count = wanted.utf8CodeUnitCount
        guard place + count <= bytes.count else { return nil }
        for index in 0..<count where bytes[place + index] != wanted.utf8Start[index] { return nil }
        return place + count
    }
}
