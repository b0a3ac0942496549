import DefaultsStore
import Testing

/// Names as bytes.
struct KeyNameTests {
    @Test func `names that differ only in Unicode form are two names`() {
        #expect(KeyName("caf\u{E9}") != KeyName("cafe\u{301}"))
    }

    @Test func `a set keeps names that differ only in Unicode form apart`() {
        #expect(Set([KeyName("\u{E9}"), KeyName("e\u{301}"), KeyName("\u{E9}")]).count == 2)
    }

    @Test func `names are ordered by their bytes`() {
        let names = ["\u{10000}", "e\u{301}", "\u{E9}", "z", "", "\u{FFFF}"].map(KeyName.init)
        #expect(names.sorted().map(\.string.utf8.first) == [nil, 0x65, 0x7A, 0xC3, 0xEF, 0xF0])
    }

    @Test func `the longest name is accepted`() throws {
        let name = String(repeating: "k", count: 65_536)
        #expect(try KeyName.validated(name) == KeyName(name))
    }

    @Test func `a name over 64 KiB is refused with its length`() {
        let expected = DefaultsError(.invalidKey, underlyingDescription: "it is 65537 bytes long")
        #expect(throws: expected) { try KeyName.validated(String(repeating: "k", count: 65_537)) }
    }

    @Test func `an empty name is refused`() {
        let expected = DefaultsError(.invalidKey, key: "", underlyingDescription: "it is empty")
        #expect(throws: expected) { try KeyName.validated("") }
    }
}
