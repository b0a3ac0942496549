/// The journal's lines: what was written comes back, and nothing else is taken for one.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct JournalRecordTests {
    /// What a commit may change.
    static let changes: [[String: StoredValue?]] = [
        ["a": StoredValue(1)], ["a": nil], ["a\n\"b\\": StoredValue(["x": [1, nil, "\n"]])], [:],
        ["a": StoredValue("ü\u{1F600}"), "b": nil, "": StoredValue([])],
        ["deep": StoredValue((0..<128).reduce(DefaultsValue.null) { value, _ in .array([value]) })],
    ]

    private func record(_ changes: [String: StoredValue?], _ generation: UInt64 = 7) -> JournalRecord {
        JournalRecord(
            generation: generation,
            changes: changes.sorted { $0.key < $1.key }.map {
                StoredChange($0.value, forKey: KeyName($0.key))
            })
    }

    /// The line of a record without its newline.
    private func line(_ record: JournalRecord, _ nonce: UInt64 = 0xABC) -> ArraySlice<UInt8> {
        record.line(nonce).dropLast()
    }

    @Test(arguments: changes)
    func `a record read back is the one that was written`(_ changes: [String: StoredValue?]) throws {
        let written = record(changes)
        let bytes = written.line(0xABC)
        #expect(bytes.count { $0 == UInt8(ascii: "\n") } == 1 && bytes.last == UInt8(ascii: "\n"))
        let read = try #require(JournalRecord(bytes.dropLast(), nonce: 0xABC))
        #expect(read.generation == 7)
        #expect(read.process == SystemCalls.processID)
        #expect(read.changes.map(\.key) == written.changes.map(\.key))
        #expect(read.changes.map(\.value) == written.changes.map(\.value))
    }

    @Test func `a value may be as deep as one in a settings file, whatever the record's form`() {
        func deep(_ levels: Int) -> StoredValue {
            let text = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
            return StoredValue(trusted: Array(text.utf8)[...])
        }
        for levels in [JSONScanner.deepest, JSONScanner.deepest + 1, 100_000] {
            for changes in [["a": deep(levels)], ["a": deep(levels), "b": deep(1)]] {
                let read = JournalRecord(line(record(changes)), nonce: 0xABC)
                #expect(read?.changes.first?.value == deep(levels))
            }
        }
    }

    @Test func `a name with half of a surrogate pair is read as it was written, and is no other name`() throws
    {
        var scanner = JSONScanner(Array(#""a\ud83d""#.utf8)[...])
        let name = KeyName(try scanner.string())
        for value in [StoredValue(1), nil] {
            let written = JournalRecord(generation: 7, changes: [StoredChange(value, forKey: name)])
            let read = try #require(JournalRecord(line(written), nonce: 0xABC))
            #expect(read.changes.map(\.key) == [name] && read.changes.map(\.value) == [value])
            #expect(read.changes.map(\.key) != [KeyName(name.string)])
        }
    }

    @Test(
        arguments: [
            (#"{"p":12,"s":["key",0.25]}"#, true), (#"{"p":12,"s":["",{"a":[1,"x"]}]}"#, true),
            (#"{"p":12,"s":["a","]}"]}"#, true), (#"{"p":0,"s":["a",1]}"#, false),
            (#"{"p":12,"s":["a key of more than eight bytes",-0.25]}"#, true),
            (#"{"p":12,"s":["a key of sixteen",[true,{"b":null}]]}"#, true),
            (#"{"p":12,"s":["of eight",true]}"#, true), (#"{"p":12,"s":["of eight",1e5]}"#, true),
            (#"{"p":12,"s":["a key of more than é",1]}"#, false),
            (#"{"p":12,"s":["a key of more\"",1]}"#, false), (#"{"p":12,"s":["a key",-]}"#, false),
            (#"{"p":12,"s":["a key of more than eight bytes" ,1]}"#, false),
            (#"{"p":1234567890,"s":["a",1]}"#, false), (#"{"p":12,"s":["a\n",1]}"#, false),
            (#"{"p":12,"s":["é",1]}"#, false), (#"{"p":12,"d":"a"}"#, false),
            (#"{"p":12,"s":["a", 1]}"#, false),
            (#"{"p":12,"s":["a",1 ]}"#, false), (#"{"p":12,"s":["a",1]} "#, false),
            (#"{"p":12,"s":["a",x]}"#, false),
            (#"{"p":12,"s":["a",1,2]}"#, false), (#"{"p":12,"s":["a"]}"#, false),
            (#"{"p":12,"s":["a""#, false),
        ])
    func `one key's plain new value is read the short way, and nothing else`(text: String, isPlain: Bool)
        throws
    {
        let plain = JournalRecord.readPlainly(Array(text.utf8)[...])
        #expect((plain != nil) == isPlain)
        guard let plain else { return }
        let (process, changes) = try JournalRecord.read(Array(text.utf8)[...])
        #expect(plain.process == process)
        #expect(changes.map(\.key) == [plain.change.key])
        #expect(changes.map(\.value) == [plain.change.value])
    }

    @Test func `a value that stands on several lines in the file is one line in the journal`() throws {
        let document = SettingsDocument.read(Array("{\"a\": [1,\n  2] }".utf8)).document
        let text = try #require(document.value(forKey: KeyName("a")))
        let bytes = JournalRecord(generation: 1, changes: [StoredChange(text, forKey: KeyName("a"))]).line(1)
        #expect(bytes.count { $0 == UInt8(ascii: "\n") } == 1)
        #expect(JournalRecord(bytes.dropLast(), nonce: 1)?.changes.first?.value?.value == [1, 2])
    }

    @Test func `a record cut anywhere is none (F6)`() {
        let whole = line(record(["a": StoredValue(1), "b": nil]))
        for length in 0..<whole.count { #expect(JournalRecord(whole.prefix(length), nonce: 0xABC) == nil) }
    }

    @Test(arguments: [LockFile.greatestGeneration + 1, .max])
    func `a record with a generation that could not be counted up is none (F6)`(generation: UInt64) {
        #expect(JournalRecord(line(record(["a": nil], generation - 1 - .max / 2)), nonce: 0xABC) != nil)
        #expect(JournalRecord(line(record(["a": nil], generation)), nonce: 0xABC) == nil)
    }

    @Test func `a record with any bit changed is none`() {
        let whole = line(record(["a": StoredValue("text")]))
        for place in whole.indices {
            for bit in 0..<8 {
                var harmed = whole
                harmed[place] ^= 1 << bit
                #expect(JournalRecord(harmed, nonce: 0xABC) == nil, "byte \(place), bit \(bit)")
            }
        }
    }

    @Test func `a record of another time of the journal is none`() {
        #expect(JournalRecord(line(record(["a": StoredValue(1)]), 0xABC), nonce: 0xABD) == nil)
    }

    @Test(arguments: [
        "[]", "{\"s\":[1,2]}", "{\"s\":[\"a\",1,2]}", "{\"t\":[[]]}", "{\"x\":1}", "{\"d\":\"a\"} ", "{",
    ])
    func `a right checksum over something else is none`(_ object: String) {
        let body = Hexadecimal.digits(1, 16) + [32] + Hexadecimal.digits(2, 16) + [32] + Array(object.utf8)
        let line = Hexadecimal.digits(UInt64(Checksum.crc32c(body)), 8) + [32] + body
        let isSpaceOnly = object.hasSuffix(" ")
        #expect((JournalRecord(line[...], nonce: 1) == nil) == !isSpaceOnly)
    }
}
