/// Base64 with padding, as Foundation writes and reads it.
package enum Base64 {
    private static let letters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// The base64 text of some bytes.
    package static func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place <= group.count ? letters[bits >> (18 - 6 * place) & 63] : padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that a text encodes, ignoring white space on request; nil if it is not base64.
    package static func bytes(of text: some Collection<UInt8>, ignoringBlanks: Bool = true) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits = 0
        var letterCount = 0
        var paddings = 0
        for byte in text where !(ignoringBlanks && isBlank(byte)) {
            if byte == padding {
                paddings += 1
                continue
            }
            guard paddings == 0, let value = value(of: byte) else { return nil }
            bits = (bits << 6 | value) & 0xFF_FFFF
            letterCount += 1
            if letterCount % 4 != 1 {
                bytes.append(UInt8(truncatingIfNeeded: bits >> (6 - 2 * ((letterCount - 1) % 4))))
            }
        }
        let isWhole = (letterCount + paddings) % 4 == 0 && paddings < 3 && letterCount % 4 != 1
        return isWhole ? bytes : nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func value(of letter: UInt8) -> Int? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(letter - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(letter - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(letter - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
