/// One commit in the journal: one line.
///
/// `<checksum> <nonce> <generation> <object>\n`: 8, 16 and 16 hexadecimal digits, and a JSON object with the writer's
/// process id as `p` and the change: `"s": [key, value]` sets one key, `"d": key` removes one, `"m": [key, patch]` sets
/// and removes members of an object (``MergePatch``), `"t": [...]` does several, each `[key, value]`, `[key]` or
/// `[key, null, patch]`. Values are absolute, so applying a record twice does no harm.
struct JournalRecord: Sendable {
    let generation: UInt64
    /// The id of the process that wrote it: it names the cause of a change and is never used for locking.
    let process: Int32
    private let content: Content

    /// Usually one change, for which no array has to be created.
    private enum Content {
        case one(StoredChange)
        case list([StoredChange])
    }

    /// A nil value removes.
    var changes: [StoredChange] {
        switch content {
        case .one(let change): [change]
        case .list(let changes): changes
        }
    }

    /// The length of what precedes the object.
    static let front = 8 + 1 + 16 + 1 + 16 + 1

    init(generation: UInt64, changes: [StoredChange]) {
        self.generation = generation
        process = SystemCalls.processID
        content = .list(changes)
    }

    func apply(to values: inout StoredValues) {
        switch content {
        case .one(let change): values.apply(change)
        case .list(let changes): values.apply(changes)
        }
    }

    func line(_ nonce: UInt64) -> [UInt8] {
        ByteWriter.bytes(atMost: JournalRecord.greatestLength(of: changes)) {
            JournalRecord.put(changes, of: process, at: generation, in: &$0, nonce)
        }
    }

    static func greatestLength(of changes: [StoredChange]) -> Int {
        // A key of nothing but control characters becomes six times as long.
        changes.reduce(front + 32) {
            $0 + $1.key.string.utf8.count * 6 + (text(of: $1)?.bytes.count ?? 0) + 24
        }
    }

    /// Writes the line as it is in a journal with that nonce, without counting references to the changes.
    ///
    /// - Parameters:
    ///   - process: the process that makes the changes.
    ///   - generation: the suite's generation from then on.
    static func put(
        _ changes: [StoredChange], of process: Int32, at generation: UInt64, in line: inout ByteWriter,
        _ nonce: UInt64
    ) {
        let start = line.count
        // The checksum is filled in when everything after it is there.
        line.skip(8)
        line.put(UInt8(ascii: " "))
        line.put(hexadecimal: nonce, digits: 16)
        line.put(UInt8(ascii: " "))
        line.put(hexadecimal: generation, digits: 16)
        line.put(UInt8(ascii: " "))
        putObject(changes, of: process, in: &line)
        line.put(hexadecimal: UInt64(Checksum.crc32c(line.written(from: start + 9))), digits: 8, at: start)
        line.put(UInt8(ascii: "\n"))
    }

    private static func putObject(_ changes: [StoredChange], of process: Int32, in line: inout ByteWriter) {
        line.put("{\"p\":")
        line.put(decimal: process)
        if changes.count == 1 {
            if changes[0].isRemoval {
                line.put(",\"d\":")
                line.put(quoted: changes[0].key)
            } else {
                line.put(changes[0].patch == nil ? ",\"s\":" : ",\"m\":")
                put(changes[0], isOfMembers: true, in: &line)
            }
        } else {
            line.put(",\"t\":[")
            for place in changes.indices {
                if place > 0 { line.put(UInt8(ascii: ",")) }
                put(changes[place], isOfMembers: false, in: &line)
            }
            line.put(UInt8(ascii: "]"))
        }
        line.put(UInt8(ascii: "}"))
    }

    private static func text(of change: StoredChange) -> StoredValue? {
        change.patch.map(\.text) ?? change.valueOnOneLine
    }

    /// - Parameter isOfMembers: whether a patch is known for one without a null before it.
    private static func put(_ change: StoredChange, isOfMembers: Bool, in line: inout ByteWriter) {
        line.put(UInt8(ascii: "["))
        line.put(quoted: change.key)
        if let text = text(of: change) {
            if change.patch != nil, !isOfMembers { line.put(",null") }
            line.put(UInt8(ascii: ","))
            line.put(text.bytes)
        }
        line.put(UInt8(ascii: "]"))
    }

    /// F6: reads a line without its newline; nil for a line that is not intact, or of another run of the journal.
    init?(_ line: ArraySlice<UInt8>, nonce: UInt64) {
        guard let generation = line.withUnsafeBytes({ JournalRecord.generation(of: $0, nonce) }) else {
            return nil
        }
        self.generation = generation
        let object = line[(line.startIndex + JournalRecord.front)...]
        if let plain = JournalRecord.readPlainly(object) {
            (process, content) = (plain.process, .one(plain.change))
            return
        }
        do {
            let (process, changes) = try JournalRecord.read(object)
            (self.process, content) = (process, .list(changes))
        } catch {
            // A right checksum over something else: not written by any version we know, so the journal ends before
            // it.
            return nil
        }
    }

    /// Returns the generation of a line whose beginning and checksum are right; otherwise nil.
    // Pointers, because another process's observers wait for this; each index is below the length, and only read
    // inside.
    private static func generation(of line: UnsafeRawBufferPointer, _ nonce: UInt64) -> UInt64? {
        guard line.count > JournalRecord.front, line[8] == UInt8(ascii: " "), line[25] == UInt8(ascii: " "),
            line[42] == UInt8(ascii: " "), let checksum = Hexadecimal.number(line, 0..<8),
            Hexadecimal.number(line, 9..<25) == nonce, let generation = Hexadecimal.number(line, 26..<42),
            generation <= LockFile.greatestGeneration,
            UInt64(Checksum.crc32c(UnsafeRawBufferPointer(rebasing: line[9...]))) == checksum
        else { return nil }
        return generation
    }

    static func read(_ text: ArraySlice<UInt8>) throws(JSONFault) -> (Int32, [StoredChange]) {
        var scanner = JSONScanner(text)
        var process: Int32 = 0
        var changes: [StoredChange] = []
        var object = try scanner.begin(UInt8(ascii: "{"))
        while try scanner.advance(&object) {
            switch try scanner.key().whole {
            case "p": process = try Int32(scanner.number().text) ?? 0
            case "d": changes.append(StoredChange(nil, forKey: KeyName(try scanner.string())))
            case "s": changes.append(try change(&scanner))
            case "m":
                let change = try change(&scanner)
                guard let value = change.value else { throw scanner.fault("a change without a patch") }
                changes.append(
                    StoredChange(
                        nil, forKey: change.key, passesLocks: false, patch: try patch(value, scanner)))
            case "t":
                var list = try scanner.begin(UInt8(ascii: "["))
                while try scanner.advance(&list) { changes.append(try change(&scanner)) }
            default: throw scanner.fault("no member of a record")
            }
        }
        try scanner.skipEnd()
        return (process, changes)
    }

    /// Returns where a value is, which may be nested as deeply as one that somebody has put into a settings file.
    static func valueRange(in text: ArraySlice<UInt8>, at start: Int) throws(JSONFault) -> Range<Int> {
        var scanner = JSONScanner(text, levels: .max)
        scanner.position = start
        return try scanner.skipValue()
    }

    private static func change(_ scanner: inout JSONScanner) throws(JSONFault) -> StoredChange {
        var pair = try scanner.begin(UInt8(ascii: "["))
        guard try scanner.advance(&pair) else { throw scanner.fault("a change without a key") }
        let key = KeyName(try scanner.string())
        guard try scanner.advance(&pair) else { return StoredChange(nil, forKey: key) }
        let value = StoredValue(trusted: scanner.bytes[try skipValue(&scanner)])
        guard try scanner.advance(&pair) else { return StoredChange(value, forKey: key) }
        let patch = try patch(StoredValue(trusted: scanner.bytes[try skipValue(&scanner)]), scanner)
        if try scanner.advance(&pair) { throw scanner.fault("a change with more than a patch") }
        return StoredChange(nil, forKey: key, passesLocks: false, patch: patch)
    }

    private static func skipValue(_ scanner: inout JSONScanner) throws(JSONFault) -> Range<Int> {
        let range = try valueRange(in: scanner.bytes, at: scanner.position)
        scanner.position = range.upperBound
        return range
    }

    private static func patch(_ text: StoredValue, _ scanner: JSONScanner) throws(JSONFault) -> MergePatch {
        guard let patch = MergePatch(text.value) else { throw scanner.fault("no patch of an object") }
        return patch
    }
}

/// The short way to read what most records are: one key's new value, as this library writes it.
///
/// Without it, a read that finds another process's set takes half as many instructions again, 11,100 in place of 7,700,
/// and one that finds 33 sets takes twice as many.
extension JournalRecord {
    /// Returns what such a record says; nil for any other, which is left to the general reader.
    ///
    /// Whatever this accepts, the general reader accepts too, with the same result.
    static func readPlainly(_ text: ArraySlice<UInt8>) -> (process: Int32, change: StoredChange)? {
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
        return (places.process, StoredChange(StoredValue(trusted: text[start..<end]), forKey: places.key))
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

    /// After its quote; the start if there is none.
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
