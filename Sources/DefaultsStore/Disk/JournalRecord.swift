/// One commit in the journal, J: one line.
///
/// `<checksum> <nonce> <generation> <object>\n`: 8, 16 and 16 hexadecimal digits, and a JSON object with the writer's
/// process id as `p` and the change: `"s": [key, value]` sets one key, `"d": key` removes one, `"t": [...]` does
/// several, each `[key, value]` or `[key]`. Values are absolute, so doing a record twice does no harm.
struct JournalRecord: Sendable {
    typealias Change = (key: KeyName, value: StoredValue?)

    /// The suite's generation from this commit on.
    let generation: UInt64
    /// The id of the process that wrote it: it names the cause of a change and is never used for locking.
    let process: Int32
    /// A nil value removes.
    let changes: [Change]

    /// The length of what stands before the object.
    static let front = 8 + 1 + 16 + 1 + 16 + 1
    /// The records of a file may have as many levels as a settings file, inside the lists of the record.
    private static let levels = JSONScanner.deepest + 3

    /// A record of this process.
    init(generation: UInt64, changes: [Change]) {
        self.generation = generation
        process = SystemCalls.processID
        self.changes = changes
    }

    /// The line as it stands in a journal with that nonce.
    func line(_ nonce: UInt64) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(changes.reduce(JournalRecord.front + 32) { $0 + JournalRecord.size(of: $1) })
        // The checksum, once all behind it is there.
        Hexadecimal.append(0, 8, to: &line)
        line.append(UInt8(ascii: " "))
        Hexadecimal.append(nonce, 16, to: &line)
        line.append(UInt8(ascii: " "))
        Hexadecimal.append(generation, 16, to: &line)
        line.append(UInt8(ascii: " "))
        appendObject(to: &line)
        Hexadecimal.put(UInt64(Checksum.crc32c(line[9...])), 8, into: &line, at: 0)
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// About as many bytes as a change takes.
    private static func size(of change: Change) -> Int {
        change.key.string.utf8.count + (change.value?.bytes.count ?? 0) + 16
    }

    private func appendObject(to text: inout [UInt8]) {
        text += "{\"p\":".utf8
        text += process.description.utf8
        if changes.count == 1, let change = changes.first {
            if change.value == nil {
                text += ",\"d\":".utf8
                JSONWriter.append(change.key.string, to: &text)
            } else {
                text += ",\"s\":".utf8
                JournalRecord.append(change, to: &text)
            }
        } else {
            text += ",\"t\":[".utf8
            for (place, change) in changes.enumerated() {
                if place > 0 { text.append(UInt8(ascii: ",")) }
                JournalRecord.append(change, to: &text)
            }
            text.append(UInt8(ascii: "]"))
        }
        text.append(UInt8(ascii: "}"))
    }

    private static func append(_ change: Change, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "["))
        JSONWriter.append(change.key.string, to: &text)
        if let value = change.value {
            text.append(UInt8(ascii: ","))
            text += value.onOneLine.bytes
        }
        text.append(UInt8(ascii: "]"))
    }

    /// F6: reads a line without its newline; nil for one that is not whole, or of another time of the journal.
    init?(_ line: ArraySlice<UInt8>, nonce: UInt64) {
        let start = line.startIndex
        guard line.count > JournalRecord.front, line[start + 8] == UInt8(ascii: " "),
            line[start + 25] == UInt8(ascii: " "), line[start + 42] == UInt8(ascii: " "),
            let checksum = Hexadecimal.number(line[start..<start + 8]),
            Hexadecimal.number(line[start + 9..<start + 25]) == nonce,
            let generation = Hexadecimal.number(line[start + 26..<start + 42]),
            UInt64(Checksum.crc32c(line[(start + 9)...])) == checksum
        else { return nil }
        do {
            let (process, changes) = try JournalRecord.read(line[(start + JournalRecord.front)...])
            self.generation = generation
            self.process = process
            self.changes = changes
        } catch {
            // A right checksum over something else: written by nobody we know, so the journal ends before it.
            return nil
        }
    }

    private static func read(_ text: ArraySlice<UInt8>) throws(JSONFault) -> (Int32, [Change]) {
        var scanner = JSONScanner(text, levels: levels)
        var process: Int32 = 0
        var changes: [Change] = []
        var object = try scanner.begin(UInt8(ascii: "{"))
        while try scanner.advance(&object) {
            switch try scanner.key() {
            case "p": process = try Int32(scanner.number().text) ?? 0
            case "d": changes.append((KeyName(try scanner.string()), nil))
            case "s": changes.append(try change(&scanner))
            case "t":
                var list = try scanner.begin(UInt8(ascii: "["))
                while try scanner.advance(&list) { changes.append(try change(&scanner)) }
            default: throw scanner.fault("no member of a record")
            }
        }
        try scanner.skipEnd()
        return (process, changes)
    }

    private static func change(_ scanner: inout JSONScanner) throws(JSONFault) -> Change {
        var pair = try scanner.begin(UInt8(ascii: "["))
        guard try scanner.advance(&pair) else { throw scanner.fault("a change without a key") }
        let key = KeyName(try scanner.string())
        guard try scanner.advance(&pair) else { return (key, nil) }
        let value = StoredValue(trusted: scanner.bytes[try scanner.skipValue()])
        if try scanner.advance(&pair) { throw scanner.fault("a change with more than a value") }
        return (key, value)
    }
}
