/// Finds the members of a settings file's text.
struct SettingsReader {
    /// A member that was read.
    private struct Found {
        let start: Int
        let hash: UInt32
        let isEscaped: Bool
        let valueEnd: Int
    }

    let bytes: [UInt8]
    /// Whether plainly written members are passed by the quick scanner; the careful one can do everything.
    private let isQuick: Bool
    var scanner: JSONScanner
    private(set) var index: MemberIndex
    /// What is between the outer braces, once both have been passed.
    private(set) var body = 0..<0
    /// Where the first member begins, whether or not it could be read.
    private(set) var firstStart: Int?
    /// A member whose end is not certain yet: a truncated file may end in the first digit of `12`.
    private var pending: Found?

    init(_ bytes: [UInt8], isQuick: Bool, levels: Int) {
        self.bytes = bytes
        self.isQuick = isQuick
        scanner = JSONScanner(bytes[...], levels: levels)
        index = MemberIndex(forText: bytes.count)
    }

    /// Reads everything that can be read, and returns the first fault.
    mutating func read() -> JSONFault? {
        let fault: JSONFault?
        do {
            try readObject()
            fault = nil
        } catch {
            salvage()
            fault = error
        }
        let reader = MemberReader(bytes)
        index.finish { reader.key(at: $0) }
        return fault
    }

    private mutating func readObject() throws(JSONFault) {
        guard bytes.count <= MemberIndex.greatestLength else {
            throw scanner.fault("the text is longer than 4 GiB")
        }
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
            keepPending()
            if firstStart == nil { firstStart = scanner.position }
            if isQuick { passPlainMembers() }
            let start = scanner.position
            let key = try scanner.key()
            let isEscaped = bytes[start..<scanner.position].contains(UInt8(ascii: "\\"))
            let value = try scanner.skipValue()
            pending = Found(
                start: start, hash: KeyName(key).hash, isEscaped: isEscaped, valueEnd: value.upperBound)
        }
        keepPending()
    }

    /// Passes members up to the beginning of the first one that needs care.
    private mutating func passPlainMembers() {
        let bytes = bytes
        let seed = KeyHash.start
        // A pointer, because the quick scanner loads eight bytes at once; it stays inside the closure.
        bytes.withUnsafeBytes { text in
            guard var plain = PlainScanner(text, at: scanner.position) else { return }
            var start = plain.position
            while let member = plain.passMember(hashingFrom: seed) {
                index.append(start: start, hash: member.hash, isEscaped: false, valueEnd: member.valueEnd)
                start = plain.position
            }
            scanner.position = start
        }
    }

    /// Keeps the last member before a fault, if its line ended first.
    mutating func keepPendingIfLineEnded() {
        guard let end = pending?.valueEnd else { return }
        if bytes[end..<scanner.position].contains(where: \.isLineEnd) {
            keepPending()
        } else {
            pending = nil
        }
    }

    private mutating func keepPending() {
        guard let member = pending else { return }
        pending = nil
        index.append(
            start: member.start, hash: member.hash, isEscaped: member.isEscaped, valueEnd: member.valueEnd)
    }
}

/// Continues reading after damage, where the layout of the text says that a member begins.
///
/// Only a line that starts exactly as the first member's did, white space and all, is taken for a member of the outer
/// object; one that is indented further might belong to a value. A file without indentation ends at the damage.
extension SettingsReader {
    mutating func salvage() {
        keepPendingIfLineEnded()
        guard let first = firstStart, let indentation = indentation(before: first) else { return }
        while let start = nextStart(after: indentation) {
            scanner.position = start
            scanner.depth = 1
            goOn()
        }
    }

    /// Reads members up to the next damage, which is not reported: the first one is.
    private mutating func goOn() {
        var list = JSONScanner.List.restOfObject
        do {
            try readMembers(&list)
        } catch {
            keepPendingIfLineEnded()
        }
    }

    private func indentation(before start: Int) -> ArraySlice<UInt8>? {
        let blanks = bytes[..<start].reversed().prefix(while: \.isBlank).count
        let line = start - blanks
        guard blanks > 0, line > 0, bytes[line - 1].isLineEnd else { return nil }
        return bytes[line..<start]
    }

    /// Returns the next quote, from where reading gave up, that has a line end and the indentation before it.
    private func nextStart(after indentation: ArraySlice<UInt8>) -> Int? {
        var index = scanner.position
        while index < bytes.endIndex {
            let line = index - indentation.count
            if bytes[index] == UInt8(ascii: "\""), line > 0, bytes[line - 1].isLineEnd,
                bytes[line..<index] == indentation
            {
                return index
            }
            index += 1
        }
        return nil
    }
}
