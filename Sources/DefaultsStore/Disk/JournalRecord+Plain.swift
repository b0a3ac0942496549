/// The short way to read what most records are: one key's new value, as this library writes it.
extension JournalRecord {
    /// Returns what such a record says; nil for any other, which is left to the general reader.
    ///
    /// Whatever this accepts, the general reader accepts too, with the same result.
    static func readPlainly(_ text: ArraySlice<UInt8>) -> (process: Int32, change: KeyChange)? {
        // A pointer, because another process's observers wait for this; each index is compared with the end first.
        guard let places = text.withUnsafeBytes({ plainPlaces(in: $0) }) else { return nil }
        let start = text.startIndex + places.value
        let end: Int
        if let known = places.end {
            end = text.startIndex + known
        } else {
            do { end = try valueRange(in: text, at: start).upperBound } catch { return nil }
        }
        guard end == text.endIndex - 2, text[end] == UInt8(ascii: "]"), text[end + 1] == UInt8(ascii: "}")
        else { return nil }
        return (places.process, KeyChange(StoredValue(trusted: text[start..<end]), forKey: places.key))
    }

    /// Returns the process, the key, and where its value begins and ends; no end if that is left to the general
    /// reader.
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
        // Most keys are read eight bytes at a time; a key near the end of the text, or with special characters, byte
        // by byte.
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

    /// Returns where a key without escapes ends, after its quote; the start if there is none.
    private static func endOfKey(in bytes: UnsafeRawBufferPointer, at start: Int) -> Int {
        guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") else { return start }
        var index = start + 1
        while index < bytes.count, isPlain(bytes[index]) { index += 1 }
        return index < bytes.count && bytes[index] == UInt8(ascii: "\"") ? index + 1 : start
    }

    /// Whether a byte neither ends a string, nor escapes, nor is a control character, nor is beyond ASCII.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}
