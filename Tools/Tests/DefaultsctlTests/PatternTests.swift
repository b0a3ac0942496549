/// `check` with a schema's `pattern`, which is one of ECMA-262: of scalars, with digits and words of ASCII.
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct PatternTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    /// Whether a text fits a pattern, both of which are written as JSON has them.
    private func fits(_ text: String, _ pattern: String) throws -> Bool {
        try place.save("{\"k\": \"\(text)\"}")
        try place.shell("chmod 600 \(place.file())")
        let schema = "{\"properties\": {\"k\": {\"pattern\": \"\(pattern)\"}}}"
        let run = try place.run("check", "-s", "player", "--schema", "-", input: schema)
        try #require(run.status == 0 || run.output.contains("k: it has to match"), "\(run)")
        return run.status == 0
    }

    @Test(arguments: [
        (#"\\n"#, #"x\r\ny"#), ("^e", #"e\u0301"#), ("^.{2}$", #"e\u0301"#), ("^.{2}$", "🇩🇪"), ("^.$", "😀"),
        (#"^\\d+$"#, "12"), (#"^[\\w-]+$"#, "a-b_1"), (#"^\\D\\W$"#, "٣é"), (#"\\bfoo\\b"#, "éfoo"),
        (#"^\\p{L}+$"#, "é日本"), (#"^[\\u00e0-\\u00ff]$"#, #"\u00e9"#),
    ])
    func `what the standard takes fits`(pattern: String, text: String) throws {
        #expect(try fits(text, pattern))
    }

    @Test(arguments: [
        (#"^\\d+$"#, "٣"), (#"^\\w+$"#, "é"), (#"^[\\w-]+$"#, "日本"), (#"^\\w+$"#, "ß"),
        ("^.$", #"e\u0301"#), ("^.$", "👨‍👩‍👧"), (#"^[\\u00e0-\\u00ff]$"#, #"e\u0301"#),
        (#"^\u00e9$"#, #"e\u0301"#),
    ])
    func `what the standard refuses does not`(pattern: String, text: String) throws {
        #expect(try fits(text, pattern) == false)
    }
}
