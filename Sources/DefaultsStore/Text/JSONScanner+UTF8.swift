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
