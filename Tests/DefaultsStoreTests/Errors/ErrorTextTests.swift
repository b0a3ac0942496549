/// The sentence that an error is printed as.
import DefaultsStore
import Testing

struct ErrorTextTests {
    @Test func `it says what failed, on what, why, and what to do`() {
        let error = DefaultsError(
            .invalidValue, suite: "player", key: "volume", path: "/a/settings.json", line: 3, column: 7,
            underlyingDescription: "it is outside 0...1")
        #expect(
            error.description == """
                The value is not one the key allows (key "volume", suite "player") at /a/settings.json:3:7: it is outside \
                0...1. Use a value that the key's validation accepts.
                """)
    }

    @Test(arguments: [
        ("a\u{1B}[31m", #"a\u001B[31m"#), ("a\nb\r\tc", #"a\nb\r\tc"#), ("\u{202E}a", #"\u202Ea"#),
        ("a\u{2028}b", #"a\u2028b"#), ("é 👩‍🚀 \" \\", "é 👩‍🚀 \" \\"), ("\u{7F}\u{0}", #"\u007F\u0000"#),
    ])
    func `what came from outside is on one line and commands no terminal`(text: String, shown: String) {
        let error = DefaultsError(
            .ioFailure, suite: text, key: text, path: "/\(text)", underlyingDescription: text)
        #expect(
            error.description == """
                The system refused a file operation (key "\(shown)", suite "\(shown)") at /\(shown): \(shown). \
                Look at the named call and path, then try again.
                """)
    }
}
