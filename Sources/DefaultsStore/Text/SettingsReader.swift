/// Finds the members of a settings file's text.
struct SettingsReader {
    let bytes: [UInt8]
    var scanner: JSONScanner
    private(set) var members: [SettingsDocument.Member] = []
    /// What stands between the outer braces, once both have been passed.
    private(set) var body = 0..<0
    /// Where the first member begins, whether or not it could be read.
    private(set) var firstStart: Int?
    /// A member read whose end is not certain yet: a file cut short may end in the first digit of `12`.
    private var pending: SettingsDocument.Member?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // A value by itself may have all levels, so the object around it must not take one.
        scanner = JSONScanner(bytes[...], levels: JSONScanner.deepest + 1)
    }

    /// Reads everything that can be read, and gives the first fault.
    mutating func read() -> JSONFault? {
        do {
            try readObject()
            return nil
        } catch {
            salvage()
            return error
        }
    }

    private mutating func readObject() throws(JSONFault) {
        try scanner.skipStart()
        var list = try scanner.begin(UInt8(ascii: "{"))
        let start = scanner.position
        try readMembers(&list)
        body = start..<scanner.position - 1
        try scanner.skipEnd()
    }

    /// Reads members up to the closing brace.
    mutating func readMembers(_ list: inout JSONScanner.List) throws(JSONFault) {
        while try scanner.advance(&list) {
            keepPending(comma: list.comma)
            let start = scanner.position
            if firstStart == nil { firstStart = start }
            let key = KeyName(try scanner.key())
            pending = SettingsDocument.Member(
                key: key, start: start, value: try scanner.skipValue(), comma: nil)
        }
        keepPending(comma: list.comma)
    }

    /// Keeps the last member after a fault behind it, if its line ended first.
    mutating func keepPendingIfLineEnded() {
        guard let end = pending?.value.upperBound else { return }
        if bytes[end..<scanner.position].contains(where: \.isLineEnd) {
            keepPending(comma: nil)
        } else {
            pending = nil
        }
    }

    private mutating func keepPending(comma: Int?) {
        guard let member = pending else { return }
        pending = nil
        members.append(
            SettingsDocument.Member(key: member.key, start: member.start, value: member.value, comma: comma))
    }
}
