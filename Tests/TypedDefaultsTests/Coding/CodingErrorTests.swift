import FoundationEssentials
import Testing
import TypedDefaults

/// Errors say where and why, and never what.
struct CodingErrorTests {
    struct Settings: Codable { var window: Window }
    struct Window: Codable { var size: [Size] }
    struct Size: Codable { var width: Int }
    enum Quality: String, Codable { case low }

    @Test(arguments: [
        (
            #"{"window": {"size": [{"width": 1}, {"width": "2"}]}}"#,
            "window.size[1].width: expected Int, found a string"
        ),
        (#"{"window": {"size": [{"width": null}]}}"#, "window.size[0].width: expected Int, found null"),
        (#"{"window": {"size": [{}]}}"#, #"window.size[0]: the member "width" is missing"#),
        (#"{"window": {"size": {}}}"#, "window.size: expected an array, found an object"),
        (#"{"window": []}"#, "window: expected an object, found an array"),
        ("7", "expected an object, found a number"),
        (
            #"{"window": {"size": [{"width": 0.5}]}}"#,
            "window.size[0].width: expected Int, found a number it cannot hold"
        ),
    ]) func `a decoding error is one line with the place`(text: String, line: String) {
        #expect(refusal(of: text, as: Settings.self) == line)
    }

    @Test func `the standard library's errors lose the value they tell`() {
        #expect(
            refusal(of: #"["secret value"]"#, as: [Quality].self)
                == "[0]: Cannot initialize Quality from invalid String")
        #expect(refusal(of: "[[7, 3]]", as: [Range<Int>].self) == "[0]: Cannot initialize Range<Int>")
        let texts = #"["hunter value 2", "a"]"#
        #expect(refusal(of: texts, as: Range<String>.self) == "Cannot initialize Range<String>")
    }

    /// An enumeration that lists more cases than an error names.
    enum Step: Int, Codable, CaseIterable {
        case a = 1, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v
    }

    @Test(arguments: [
        (#"["calm", "glad"]"#, "[1]: Cannot initialize Mood from invalid String"),
        ("[7]", "[0]: expected String, found a number"),
        ("[null]", "[0]: expected String, found null"),
    ])
    func `an enumeration that lists its cases names them, at any depth`(text: String, reason: String) {
        #expect(refusal(of: text, as: [Mood].self) == reason + "; allowed are calm, merry, cross")
        #expect(
            refusal(of: #"{"all": \#(text)}"#, as: [String: [Mood?]].self)
                == (text == "[null]" ? nil : "all\(reason); allowed are calm, merry, cross"))
    }

    @Test func `of many cases twenty are named`() {
        let numbers = (1...20).map(String.init).joined(separator: ", ")
        #expect(
            refusal(of: "0", as: Step.self)
                == "Cannot initialize Step from invalid Int; allowed are \(numbers) and 2 more")
    }

    @Test func `Foundation's error of a calendar loses the identifier it tells`() {
        let text = #"{"identifier": "hunter2", "current": 0}"#
        #expect(refusal(of: text, as: Calendar.self) == "Invalid calendar identifier")
        #expect(
            refusal(of: #"{"calendar": \#(text)}"#, as: DateComponents.self)
                == "calendar: Invalid calendar identifier")
    }

    @Test func `the thrown error itself holds no value`() {
        #expect(throws: DecodingError.self) { try decoded(Quality.self, from: #""hunter2""#) }
        do {
            _ = try decoded(Quality.self, from: #""hunter2""#)
        } catch {
            #expect(!String(reflecting: error).contains("hunter2"))
        }
    }

    struct Mishap: Error, CustomStringConvertible { var description: String { "a mishap" } }

    @Test func `another error says what it says itself`() {
        #expect(describe(Mishap()) == "a mishap")
    }

    @Test func `names that are no plain words are quoted`() {
        let reason = refusal(of: #"{"a b": {"": {"été-1": 0}}}"#, as: [String: [String: [String: Bool]]].self)
        #expect(reason == #"["a b"][""].été-1: expected Bool, found a number"#)
    }

    // Sendable because only the test's own task touches it.
    final class Loop: Codable, @unchecked Sendable {
        var next: Loop?
        var other: [Loop] = []
    }

    @Test func `a value that holds itself is refused`() {
        let loop = Loop()
        loop.next = loop
        defer { loop.next = nil }
        let reason = saying { _ = try encoded(loop) }
        #expect(
            reason?.hasSuffix("next: Loop holds itself, or holds too many containers inside one another")
                == true)
    }

    struct Echo: Codable {
        init() {}
        init(from decoder: any Decoder) {}
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(self)
        }
    }

    @Test func `a type that hands itself on is refused`() {
        #expect(
            saying { _ = try encoded(Echo()) }
                == "Echo holds itself, or holds too many containers inside one another")
    }

    indirect enum Nest: Codable, Equatable {
        case end, array([Nest])

        init(levels: Int) { self = levels == 0 ? .end : .array([Nest(levels: levels - 1)]) }
        init(from decoder: any Decoder) throws {
            let isEnd = try decoder.singleValueContainer().decodeNil()
            self = isEnd ? .end : .array(try decoder.singleValueContainer().decode([Nest].self))
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            if case .array(let elements) = self {
                try container.encode(elements)
            } else {
                try container.encodeNil()
            }
        }
    }

    @Test func `128 containers inside one another come back and 129 are refused`() throws {
        try roundTrip(Nest(levels: 128))
        #expect(saying { _ = try encoded(Nest(levels: 129)) } != nil)
    }

    @Test func `nested containers without end are refused at the limit`() {
        let reason = saying {
            _ = try Custom.text { encoder in
                var list = encoder.unkeyedContainer()
                for _ in 0..<100_000 { list = list.nestedUnkeyedContainer() }
            }
        }
        #expect(
            reason?.hasSuffix("Custom holds itself, or holds too many containers inside one another") == true)
    }
}
