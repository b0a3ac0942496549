/// A checkpoint's text, made before it has the lock and brought up to date under it: what it comes to is what a text made
/// at once would hold.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct PreparedTextTests {
    private static let text = """
        {
          // Kept whatever is written.
          "key1": 1,
          "key2": [1, 2],
          "mine": 1e400
        }

        """

    private func document() -> SettingsDocument {
        SettingsDocument.read(Array(PreparedTextTests.text.utf8)).document
    }

    private func change(_ key: Int, to value: Int?) -> StoredChange {
        StoredChange(value.map { StoredValue(DefaultsValue($0)) }, forKey: KeyName("key\(key)"))
    }

    /// The members of a text, which has to be a whole one.
    private func members(_ document: SettingsDocument) -> [String: String] {
        #expect(!document.hasFault)
        return Dictionary(
            uniqueKeysWithValues: document.keys.map { key in
                (key.string, String(decoding: document.value(forKey: key)?.bytes ?? [], as: UTF8.self))
            })
    }

    @Test(arguments: [1, 2, 3], [3, 40, 400])
    func `of each earlier state it comes to the same`(seed: UInt64, keys: Int) throws {
        var random = SeededNumbers(seed: seed)
        var values = StoredValues(document())
        var prepared: [PreparedText] = []
        var brought = 0
        for turn in 0..<500 {
            if turn % 20 == 0 { prepared.append(PreparedText(of: values)) }
            let key = Int.random(in: 0..<keys, using: &random)
            values.apply([change(key, to: turn % 4 == 0 ? nil : turn)])
            guard turn % 50 == 49 else { continue }
            let wanted = members(values.written)
            for text in prepared {
                guard let document = text.brought(upTo: values) else { continue }
                brought += 1
                #expect(members(document) == wanted)
                #expect(String(decoding: document.bytes, as: UTF8.self).contains("// Kept"))
            }
        }
        // Those of a list of changes that was grown out of are not; the last one always is.
        #expect(brought >= 10)
    }

    @Test func `what is set and never removed stands where it would stand otherwise`() throws {
        var values = StoredValues(document())
        values.apply([change(2, to: 3), change(8, to: 8)])
        let prepared = PreparedText(of: values)
        values.apply([change(9, to: 9), change(8, to: 80), change(1, to: 10)])
        #expect(try #require(prepared.brought(upTo: values)).bytes == values.written.bytes)
    }

    @Test func `a list that is changed again is merged into the text that was there before`() throws {
        let text = "{\n  \"key1\": {\"w\": 1, // of w\n    \"h\": 2 }\n}\n"
        var values = StoredValues(SettingsDocument.read(Array(text.utf8)).document)
        let key = KeyName("key1")
        values.apply([StoredChange(StoredValue(["h": 2]), forKey: key)])
        let prepared = PreparedText(of: values)
        values.apply([StoredChange(StoredValue(["w": 1, "h": 3]), forKey: key)])
        let document = try #require(prepared.brought(upTo: values))
        #expect(document.bytes == values.written.bytes)
        #expect(String(decoding: document.bytes, as: UTF8.self) == text.replacing("2 }", with: "3 }"))
    }

    @Test func `a key that was taken out and is back has its old place`() throws {
        var values = StoredValues(document())
        values.apply([change(2, to: nil), change(7, to: 7)])
        let prepared = PreparedText(of: values)
        values.apply([change(8, to: 8)])
        #expect(try #require(prepared.brought(upTo: values)).bytes == values.written.bytes)
        values.apply([change(2, to: 5)])
        #expect(prepared.brought(upTo: values) == nil)
    }

    @Test(arguments: [#"{"key1":1}"#, #"{"key1":1,}"#, #"{ "key1": 1 // one"# + "\n}"])
    func `a key that is gone again leaves what stood beside it as it was`(_ text: String) throws {
        var values = StoredValues(SettingsDocument.read(Array(text.utf8)).document)
        values.apply([change(1, to: 2), change(7, to: 7)])
        let prepared = PreparedText(of: values)
        values.apply([change(7, to: nil)])
        let document = prepared.brought(upTo: values) ?? values.written
        let wanted = text.replacing(#"":1"#, with: #"":2"#).replacing(#"": 1"#, with: #"": 2"#)
        #expect(
            String(decoding: document.bytes, as: UTF8.self)
                == wanted)
    }

    @Test func `nothing comes of it where the values are of another text, or of before`() {
        var values = StoredValues(document())
        let first = values
        values.apply([change(1, to: 5)])
        let prepared = PreparedText(of: values)
        #expect(prepared.brought(upTo: values)?.bytes == values.written.bytes)
        #expect(prepared.brought(upTo: first) == nil)
        #expect(prepared.brought(upTo: values.over(document())) == nil)
        #expect(PreparedText(of: first).brought(upTo: first.over(document())) == nil)
        var other = first
        other.apply([change(3, to: 7)])
        #expect(prepared.brought(upTo: other) == nil)
    }

    @Test(arguments: [true, false])
    func `a checkpoint writes what has come since its text was made`(isEdited: Bool) throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        for number in 0..<3 { try suite.set(.init(number), forKey: "key\(number)") }
        let store = try suite.context.store()
        let prepared = PreparedText(of: store.latest.values)
        // Over a checkpoint, so that what was set before is nobody's any more.
        if isEdited { try folder.saveByRename(#"{"mine": 1}"#) }
        try suite.set(40, forKey: "key4")
        try suite.set(20, forKey: "key2")
        try suite.removeValue(forKey: "key0")
        try store.writer.withSession(until: .after(milliseconds: 5_000)) { (session) throws(DefaultsError) in
            try store.checkpointer.checkpoint(&session, ofDamaged: .leaves, prepared)
        }
        let read = SettingsDocument.read(Array(try folder.read("settings/settings.json").utf8))
        #expect(read.fault == nil)
        #expect(
            members(read.document) == [
                isEdited ? "mine" : "key1": "1", "key2": "20", "key4": "40",
            ])
        #expect(try suite.storedValues().count == 3)
    }
}
