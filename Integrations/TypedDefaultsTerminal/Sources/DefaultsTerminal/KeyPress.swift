/// What a person does at the keyboard.
enum KeyPress: Hashable {
    case character(Character)
    case control(Character)
    case enter, escape, tab, backTab, backspace, delete
    case up, down, left, right, home, end, pageUp, pageDown
    /// What a terminal sends as one piece, so that nothing in it is taken for commands.
    case paste(String)
}

/// Reads key presses from the bytes that a terminal sends, which come in any pieces.
struct KeyReader {
    private var bytes: [UInt8] = []

    mutating func add(_ more: [UInt8]) { bytes += more }

    /// Whether what has come may be the beginning of more: a key that sends several bytes, or the escape key alone.
    var isWaiting: Bool { !bytes.isEmpty }

    /// Returns the next key; nil if none is complete.
    ///
    /// - Parameter isAll: whether nothing more has come for a while, so that an escape is the key.
    mutating func next(isAll: Bool = false) -> KeyPress? {
        while let first = bytes.first {
            switch first {
            case 0x1B:
                switch escapeSequence(isAll) {
                case .key(let key): return key
                case .unknown: continue
                case .incomplete: return nil
                }
            case ..<0x20, 0x7F:
                bytes.removeFirst()
                return control(first)
            default:
                let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
                guard bytes.count >= length || isAll else { return nil }
                let text = String(decoding: bytes.prefix(length), as: UTF8.self)
                bytes.removeFirst(min(length, bytes.count))
                if let character = text.first { return .character(character) }
            }
        }
        return nil
    }

    private func control(_ byte: UInt8) -> KeyPress {
        switch byte {
        case 0x0D, 0x0A: .enter
        case 0x09: .tab
        case 0x08, 0x7F: .backspace
        default: .control(Character(Unicode.Scalar(byte | 0x60)))
        }
    }

    private enum Sequence {
        case key(KeyPress)
        case unknown
        case incomplete
    }

    /// Takes an escape sequence from the beginning of the bytes.
    private mutating func escapeSequence(_ isAll: Bool) -> Sequence {
        guard bytes.count > 1 else { return take(1, isAll ? .key(.escape) : .incomplete) }
        let isControl = bytes[1] == UInt8(ascii: "[")
        guard isControl || bytes[1] == UInt8(ascii: "O") else { return take(1, .key(.escape)) }
        // Parameters, then a last byte that says what it is.
        guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }), end < 32 else {
            return bytes.count > 32 || isAll ? take(bytes.count, .unknown) : .incomplete
        }
        let name = String(decoding: bytes[2...end], as: UTF8.self)
        if name == "200~" { return paste(from: end + 1, isAll) }
        return take(end + 1, KeyReader.keys[name].map { .key($0) } ?? .unknown)
    }

    private mutating func take(_ count: Int, _ result: Sequence) -> Sequence {
        if case .incomplete = result { return result }
        bytes.removeFirst(count)
        return result
    }

    private mutating func paste(from start: Int, _ isAll: Bool) -> Sequence {
        let mark = Array("\u{1B}[201~".utf8)
        var end = start
        while end + mark.count <= bytes.count {
            if bytes[end] == mark[0], bytes[end..<end + mark.count].elementsEqual(mark) {
                let text = String(decoding: bytes[start..<end], as: UTF8.self)
                return take(end + mark.count, .key(.paste(text)))
            }
            end += 1
        }
        return .incomplete
    }

    private static let keys: [String: KeyPress] = [
        "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "Z": .backTab,
        "1~": .home, "7~": .home, "4~": .end, "8~": .end, "3~": .delete, "5~": .pageUp, "6~": .pageDown,
        "M": .enter,
    ]
}
