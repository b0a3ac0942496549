/// What must hold of any bytes that are read as a journal; run by tests and by `.ci/fuzz`.
@testable import DefaultsStore

enum JournalFuzzCheck {
    /// What does not hold, nil when everything does: of the bytes, and of the bytes with checksums that fit.
    static func objection(to input: [UInt8]) -> String? {
        headerObjection(input) ?? recordsObjection(input) ?? headerObjection(mended(input))
            ?? recordsObjection(mended(input))
    }

    /// A header is taken only from the very bytes that we would write for it.
    private static func headerObjection(_ bytes: [UInt8]) -> String? {
        guard let header = JournalHeader(bytes) else { return nil }
        guard header.bytes.count == JournalHeader.length else { return "the line has another length" }
        let line = bytes.prefix(JournalHeader.length)
        return line.elementsEqual(header.bytes)
            ? nil : "taken for a header: \(String(decoding: line, as: UTF8.self))"
    }

    private static func recordsObjection(_ bytes: [UInt8]) -> String? {
        guard let header = JournalHeader(bytes) else { return nil }
        let rest = Array(bytes.dropFirst(JournalHeader.length))
        var lines = JournalLines(nonce: header.nonce, after: header.generation)
        _ = lines.take(rest)
        let (records, count) = (lines.records, lines.count)
        guard count <= rest.count, rest.prefix(count).count(where: { $0 == newline }) == records.count,
            count == 0 || rest[count - 1] == newline
        else { return "\(records.count) records do not take \(count) bytes" }
        let generations = [header.generation] + records.map(\.generation)
        if !zip(generations, generations.dropFirst()).allSatisfy(<) {
            return "not counted up: \(generations)"
        }
        return records.lazy.compactMap(lineObjection).first ?? objectsObjection(rest)
            ?? cutObjection(rest, header, records.count) ?? replayObjection(records)
    }

    /// What was read is what we would write, but for the spelling of the object.
    private static func lineObjection(_ record: JournalRecord) -> String? {
        let line = record.line(1)
        guard line.last == newline, line.count(where: { $0 == newline }) == 1 else {
            return "not one line: \(String(decoding: line, as: UTF8.self))"
        }
        guard let again = JournalRecord(line.dropLast(), nonce: 1) else {
            return "not read again: \(String(decoding: line, as: UTF8.self))"
        }
        let isSame =
            again.generation == record.generation && again.process == record.process
            && again.changes.map(\.key) == record.changes.map(\.key)
            && again.changes.map { $0.value?.value } == record.changes.map { $0.value?.value }
            && again.changes.map(\.patch) == record.changes.map(\.patch)
        guard isSame, again.line(1) == line else { return "read again as \(again), was \(record)" }
        return plainObjection(line.dropLast().dropFirst(JournalRecord.front))
    }

    /// Records that are applied again change nothing, and what they come to is the same when it is written again (F25).
    private static func replayObjection(_ records: [JournalRecord]) -> String? {
        var once = StoredValues.empty
        for record in records { record.apply(to: &once) }
        var twice = once
        for record in records { record.apply(to: &twice) }
        var rewritten = StoredValues.empty
        rewritten.apply(once.changes)
        let before = values(once)
        if values(twice) != before { return "applied again it is \(values(twice)), was \(before)" }
        return values(rewritten) == before ? nil : "written again it is \(values(rewritten)), was \(before)"
    }

    private static func values(_ stored: StoredValues) -> [KeyName: DefaultsValue] {
        Dictionary(uniqueKeysWithValues: stored.keys.map { ($0, stored.value(forKey: $0)?.value ?? .null) })
    }

    /// The same of the objects as they were spelled, whether they were taken or not.
    private static func objectsObjection(_ lines: [UInt8]) -> String? {
        lines.split(separator: newline).lazy.filter { $0.count > JournalRecord.front }
            .compactMap { plainObjection($0.dropFirst(JournalRecord.front)) }.first
    }

    /// What the short way reads, the careful way reads as the same.
    private static func plainObjection(_ object: ArraySlice<UInt8>) -> String? {
        // As it is, and cut, where what stands behind a value begins to be missing.
        for text in [object, object.dropLast(), object.dropLast(2), object + [newline], object.dropFirst()] {
            guard let plain = JournalRecord.readPlainly(text) else { continue }
            let said = String(decoding: text, as: UTF8.self)
            do {
                let (process, changes) = try JournalRecord.read(text)
                let isSame =
                    process == plain.process && changes.count == 1 && changes[0].key == plain.change.key
                    && changes[0].value == plain.change.value
                if !isSame { return "the short way reads another record: \(said)" }
            } catch {
                return "the short way takes what the careful one refuses: \(said)"
            }
        }
        return nil
    }

    /// A journal that is cut anywhere has the records that are left whole, and no other.
    private static func cutObjection(_ rest: [UInt8], _ header: JournalHeader, _ count: Int) -> String? {
        let ends = rest.indices.filter { rest[$0] == newline }.prefix(count)
        for (whole, end) in ends.enumerated() {
            for (place, left) in [(end, whole), (end + 1, whole + 1), (end / 2, nil)] {
                var cut = JournalLines(nonce: header.nonce, after: header.generation)
                _ = cut.take(Array(rest.prefix(place)))
                let expected = left ?? ends.count { $0 < place }
                if cut.records.count != expected {
                    return "cut to \(place) bytes: \(cut.records.count) records"
                }
            }
        }
        return nil
    }

    /// The bytes with checksums and nonces put right, since no mutation finds them.
    static func mended(_ bytes: [UInt8]) -> [UInt8] {
        let front = Array(bytes.prefix(JournalHeader.length - 9))
        let header = front + Hexadecimal.digits(UInt64(Checksum.crc32c(front)), 8) + [newline]
        guard header.count == JournalHeader.length else { return header }
        let lines = bytes.dropFirst(JournalHeader.length)
            .split(separator: newline, omittingEmptySubsequences: false)
        let whole = lines.dropLast().flatMap { mendedRecord($0, nonce: header[5..<21]) + [newline] }
        return header + whole + (lines.last ?? [])
    }

    private static func mendedRecord(_ line: ArraySlice<UInt8>, nonce: ArraySlice<UInt8>) -> [UInt8] {
        guard line.count > JournalRecord.front else { return Array(line) }
        let body = [UInt8](nonce) + line.dropFirst(25)
        return Hexadecimal.digits(UInt64(Checksum.crc32c(body)), 8) + [UInt8(ascii: " ")] + body
    }

    private static let newline = UInt8(ascii: "\n")
}
