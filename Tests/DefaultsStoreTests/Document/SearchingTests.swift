@testable import DefaultsStore
import Testing

/// Values found in a text without reading all of it.
struct SearchingTests {
    private func isSearchable(_ text: String) -> Bool {
        SettingsDocument.read(Array(text.utf8)).document.isSearchable
    }

    private func checked(_ text: String) -> SettingsDocument { SettingsDocument(checked: Array(text.utf8)) }

    @Test(arguments: [
        "{\n  \"a\": 1\n}\n", "{\r\n  \"a\": 1,\r\n  \"b\" : [\r\n    \"x\"\r\n  ]\r\n}",
        "\u{FEFF}{\n// c\n  \"a\": {\n    \"b\": 1\n  },\n\n  \"é\": \"\\n  \\\"\", // \"c\": 1\n}", "{\n\n}",
    ])
    func `a text with a member a line, two blanks in, can be searched`(text: String) {
        #expect(isSearchable(text))
    }

    @Test(arguments: [
        // Two on a line, other blanks, an escape in a name, a name twice, the mark in a value and in a comment, damage.
        "{\n  \"a\": 1, \"b\": 2\n}", "{\n    \"a\": 1\n}", "{\n\t\"a\": 1\n}", "{\n  \"\\u0061\": 1\n}",
        "{\n  \"a\": 1,\n  \"a\": 2\n}", "{\n  \"a\": [\n  \"b\"]\n}", "{\n/*\n  \"b\": 2 */\n  \"a\": 1\n}",
        "{\n  \"a\": x\n}", "{\n  \"a\": 1", "{}", "",
    ])
    func `a text that is written otherwise cannot`(text: String) {
        #expect(!isSearchable(text))
    }

    @Test func `a key is found by its whole name, and what only looks like it is not`() {
        let text = checked(
            "{\n  \"ab\": 1,\n  \"a\": {\n    \"b\": 2\n  },\n  \"c\": \"\\n  \\\"d\\\": 3\"\n}")
        #expect(text.search(KeyName("a"))?.value?.value == ["b": 2])
        #expect(text.search(KeyName("ab"))?.value?.value == 1)
        for absent in ["b", "d", "", "A", "a\"", "a\n", "\\"] {
            #expect(text.search(KeyName(absent)).map { $0.value == nil } == true)
        }
        #expect(text.isUnread)
    }

    @Test func `after twelve searches the text is read to its end, and says the same`() {
        let text = checked("{\n  \"a\": 1,\n  \"b\": 2\n}")
        for _ in 0..<12 { #expect(text.value(forKey: KeyName("a"))?.value == 1) }
        #expect(text.isUnread)
        #expect(text.value(forKey: KeyName("b"))?.value == 2)
        #expect(!text.isUnread)
        #expect(text.search(KeyName("a")) == nil)
    }

    @Test func `whatever else is asked reads the text to its end`() {
        let text = checked("{\n  \"a\": 1,\n  \"b\": 2\n}")
        #expect(text.keys.map(\.string) == ["a", "b"])
        #expect(!text.isUnread)
    }

    @Test func `a text that was read to its end ahead of time is searched no more`() {
        let document = SettingsDocument(checked: Array("{\n  \"a\": 1,\n  \"b\": 2\n}\n".utf8))
        #expect(document.isUnread)
        document.readToEnd()
        #expect(!document.isUnread)
        #expect(document.value(forKey: KeyName("b"))?.value == 2)
    }

    @Test func `a text that is not what was checked is never taken at its word`() {
        // What no note should say, and a page that went bad may: values are checked where they are found.
        #expect(checked("{\n  \"a\": tru,\n  \"b\": 2\n}").search(KeyName("a")) == nil)
        #expect(checked("{\n  \"a\": \"").search(KeyName("a")) == nil)
        #expect(checked("{\n  \"a\"").search(KeyName("a")) == nil)
    }
}
