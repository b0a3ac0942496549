/// A value merged into the text of the one before it.
@testable import DefaultsStore
import TestSupport
import Testing

struct TextMergingTests {
    private func merged(_ new: String, into old: String) throws -> String {
        let text = TextMerging.merged(StoredValue(try DefaultsValue(json: new)), into: stored(old))
        #expect(try DefaultsValue(reading: Array(text.bytes)) == DefaultsValue(json: new))
        #expect(try isTakenAsLaid(text, StoredValue(DefaultsValue(json: new)), into: stored(old)))
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// Whether a text is what was merged, and not the one that would be taken in place of a wrong one.
    private func isTakenAsLaid(
        _ text: StoredValue, _ new: StoredValue, into old: StoredValue
    ) throws -> Bool {
        guard new.isList, new.bytes.first == old.bytes.first else { return true }
        return try TextMerging.merged(new.value, into: Array(old.bytes), of: old.value) == Array(text.bytes)
    }

    private func stored(_ text: String) -> StoredValue { StoredValue(trusted: Array(text.utf8)[...]) }

    @Test(arguments: [
        (#"{"w": 801, "h": 600, "depth": 3}"#, "{\"w\": 801, // left\n \"h\": 600, \"depth\": 3}"),
        (#"{"w": 800, "h": 600}"#, "{\"w\": 800, // left\n \"h\": 600}"),
        (#"{"h": 600, "depth": 3}"#, "{\n \"h\": 600, \"depth\": 3}"),
        (
            #"{"x": [1], "depth": 3, "h": 600, "w": 800}"#,
            "{\"w\": 800, // left\n \"h\": 600, \"depth\": 3, \"x\": [1]}"
        ),
        (#"{"w": 8e2, "h": 600.0, "depth": 3}"#, "{\"w\": 800, // left\n \"h\": 600, \"depth\": 3}"),
        (#"[800]"#, "[800]"), ("1", "1"),
    ])
    func `what is equal in an object keeps its text`(new: String, expected: String) throws {
        let old = "{\"w\": 800, // left\n \"h\": 600, \"depth\": 3}"
        #expect(try merged(new, into: old) == expected)
    }

    @Test func `a new object in an object on lines is laid out as its neighbours`() throws {
        #expect(
            try merged(#"{"a": 1, "n": {"b": {"c": 2}}}"#, into: "{\n    \"a\": 1\n  }")
                == "{\n    \"a\": 1,\n    \"n\": {\n      \"b\": {\n        \"c\": 2\n      }\n    }\n  }")
        #expect(
            try merged(#"{"a": {"b": 1}, "n": {"b": 2}}"#, into: "{\n    \"a\": {\"b\": 1}\n  }")
                == "{\n    \"a\": {\"b\": 1},\n    \"n\": {\"b\": 2}\n  }")
    }

    private static let lines = """
        {
            // of w
            "w": 1, // beside w
            "h" : 2 /* two */ , // beside h
            // of s
            "s": {"é": 1.50}

          }
        """

    @Test(arguments: [
        (#"{"w": 1, "h": 2, "s": {"é": 1.5}}"#, lines),
        (#"{"w": 9, "h": 2, "s": {"é": 1.5}}"#, lines.replacing("\"w\": 1", with: "\"w\": 9")),
        (#"{"w": 1, "h": 2, "s": {"é": 1.5, "t": 1}}"#, lines.replacing("1.50}", with: "1.50, \"t\": 1}")),
        (#"{"h": 2, "s": {"é": 1.5}}"#, lines.replacing("    \"w\": 1, // beside w\n", with: "")),
        (
            #"{"w": 1, "s": {"é": 1.5}}"#,
            lines.replacing("    \"h\" : 2 /* two */ , // beside h\n", with: "")
        ),
        (
            #"{"w": 1, "h": 2}"#,
            lines.replacing("    \"s\": {\"é\": 1.50}\n", with: "").replacing(
                " , // beside h", with: "  // beside h")
        ),
        (
            #"{"w": 1, "h": 2, "s": {"é": 1.5}, "n": null}"#,
            lines.replacing("1.50}", with: "1.50},\n    \"n\": null")
        ),
        ("{}", "{\n    // of w\n    // of s\n\n  }"),
        (#"{"n": 1}"#, "{\n    // of w\n    // of s\n    \"n\": 1\n\n  }"),
    ])
    func `what is changed, added or removed keeps to its lines, and the comments to theirs`(
        new: String, expected: String
    ) throws {
        #expect(try merged(new, into: TextMergingTests.lines) == expected)
        let windows = TextMergingTests.lines.replacing("\n", with: "\r\n")
        #expect(try merged(new, into: windows) == expected.replacing("\n", with: "\r\n"))
    }

    @Test(arguments: [
        ("[1, 2, 3]", "[1, 3]", "[1, 3]"), ("[1 ,2,3]", "[1, 2, 3, 4]", "[1 ,2,3, 4]"),
        ("[ 1, 2 ]", "[0, 1, 2]", "[ 0, 1, 2 ]"), ("[1, 2]", "[1, 9, 2]", "[1, 9, 2]"),
        ("[1, /* two */ 2]", "[1, 3]", "[1, /* two */ 3]"), ("[]", "[1, 2]", "[1, 2]"), ("[ ]", "[1]", "[1]"),
        ("{ }", #"{"a": 1}"#, #"{"a": 1}"#), ("[ 1 ]", "[]", "[]"), ("[/* none */]", "[1]", "[/* none */ 1]"),
        ("[1, 2 // c\n]", "[1, 2, 3]", "[1, 2, // c\n  3\n]"), ("[1,\n 2,\n 3]", "[1, 3]", "[1,\n 3]"),
        ("[1, 2,]", "[1, 2, 3]", "[1, 2, 3,]"), ("[\n\t1,\n]", "[1, 2]", "[\n\t1,\n\t2,\n]"),
        ("[\n  1, 2,\n  3, 4\n]", "[1, 2, 9, 3, 4]", "[\n  1, 2,\n  9,\n  3, 4\n]"),
        ("[\n  1, 2,\n  3, 4\n]", "[1, 9, 2, 3, 4]", "[\n  1, 9, 2,\n  3, 4\n]"),
        ("[\n  // none yet\n]", "[1]", "[\n  // none yet\n  1\n]"),
        ("[\n  1\n]", "[2, 3]", "[\n  2,\n  3\n]"),
        ("[\n    1 ]", "[1, 2]", "[\n    1,\n    2\n  ]"),
        ("[1, // one\n 2]", "[1, 3, 4]", "[1, // one\n  3,\n  4\n]"),
        ("[1, // one\n // own\n2]", "[7, 8, 9]", "[\n // own\n  7,\n  8,\n  9\n]"),
        ("{\"a\": 1, // one\n \"b\": 2}", #"{"a": 1, "c": 3}"#, "{\"a\": 1, // one\n  \"c\": 3\n}"),
        ("{ \"a\": 1 // one\n, \"b\": 2 }", #"{"a": 1}"#, "{ \"a\": 1 // one\n }"),
        ("[1 // one\n, 2]", "[1]", "[1 // one\n]"), ("[1 /* one */\n, 2]", "[1]", "[1 /* one */]"),
        ("[\n1\n// own\n, 2]", "[1]", "[\n1\n// own\n]"),
        ("[\n  1\n  // own\n  , 2\n]", "[]", "[\n  // own\n  \n]"),
        ("[1, 2 /* two */]", "[2, 1]", "[2, /* two */ 1]"),
        ("[1, // one\n2, 3]", "[2, 3, 1]", "[\n2, 3,\n1 // one\n]"),
        ("[1, 2, 3 // three\n]", "[3, 1, 2]", "[3, // three\n1, 2\n]"),
        (#"[{"n": 1, "k": 1}, {"n": 2, "k": 2}]"#, #"[{"n": 1, "k": 1}, {"n": 3, "k": 2}]"#, nil),
        (#"{"a": 1, "a": 2}"#, #"{"a": 3}"#, #"{"a": 1, "a": 3}"#), (#"{"a": 1, "a": 2}"#, "{}", "{}"),
        (#"{"\u00e9": "\/", "a": 1}"#, #"{"é": "/", "a": 2}"#, #"{"\u00e9": "\/", "a": 2}"#),
        (
            #"{"\ud83d": 1, "a": "\udc00"}"#, #"{"\ud83d": 2, "a": "\uDC00"}"#,
            #"{"\ud83d": 2, "a": "\udc00"}"#
        ),
    ])
    func `an element is put where it belongs`(old: String, new: String, expected: String?) throws {
        let text = try merged(new, into: old)
        #expect(text == expected ?? new)
    }

    private static let names = "[\n    \"a\", // first\n    \"b\", // second\n    // of c\n    \"c\"\n  ]"

    @Test(arguments: [
        (#"["a", "c"]"#, names.replacing("    \"b\", // second\n", with: "")),
        (#"["a", "x", "b", "c"]"#, names.replacing("// first\n", with: "// first\n    \"x\",\n")),
        (#"["x", "a", "b", "c"]"#, names.replacing("[\n", with: "[\n    \"x\",\n")),
        (#"["a", "b", "c", "x"]"#, names.replacing("\"c\"", with: "\"c\",\n    \"x\"")),
        (#"["a", "x", "c"]"#, names.replacing("\"b\", // second", with: "\"x\",")),
        (
            #"["c", "a", "b"]"#,
            "[\n    // of c\n    \"c\",\n    \"a\", // first\n    \"b\" // second\n  ]"
        ),
        (#"["b", "a", "c"]"#, "[\n    \"b\", // second\n    \"a\", // first\n    // of c\n    \"c\"\n  ]"),
        (
            #"["c", "b", "a"]"#,
            "[\n    // of c\n    \"c\",\n    \"b\", // second\n    \"a\" // first\n  ]"
        ),
    ])
    func `an element that moves takes its comment along, and the others keep theirs`(
        new: String, expected: String
    ) throws {
        #expect(try merged(new, into: TextMergingTests.names) == expected)
    }

    private static let accounts = """
        [
            // The accounts of the house.

            // the first
            // and oldest
            {"id": 1, "name": "Work", "token": "OF-1"}, // work
            /* the
             second */
            {"id": 2, "name": "Home"}   // home
          ]
        """

    @Test func `a comment above an element moves with it, and one about more than the element stays`() throws
    {
        let moved = """
            [
                // The accounts of the house.

                /* the
                 second */
                {"id": 2, "name": "Home"},   // home
                // the first
                // and oldest
                {"id": 1, "name": "Job", "token": "OF-1"} // work
              ]
            """
        let new = #"[{"id": 2, "name": "Home"}, {"id": 1, "name": "Job", "token": "OF-1"}]"#
        for end in ["\n", "\r\n"] {
            let old = TextMergingTests.accounts.replacing("\n", with: end)
            #expect(try merged(new, into: old) == moved.replacing("\n", with: end))
        }
    }

    @Test func `an element in another one's place has none of its comments`() throws {
        let text = try merged(
            #"[{"id": 3, "name": "New"}, {"id": 2, "name": "Home"}]"#, into: TextMergingTests.accounts)
        #expect(!text.contains("// work") && text.contains("// home"))
    }

    @Test(arguments: 0..<400)
    func
        `whatever is merged into whatever text reads as itself, and the comments on lines of their own are all there`(
            seed: Int
        ) throws
    {
        var random = SeededNumbers(seed: UInt64(seed))
        let old = DefaultsValue.drawn(depth: 3, &random)
        let new = Bool.random(using: &random) ? old.altered(&random) : DefaultsValue.drawn(depth: 3, &random)
        var comments = 0
        let text = old.text(indent: "", &comments, &random)
        let source = stored(text)
        try #require(source.value == old)
        let result = TextMerging.merged(StoredValue(new), into: source)
        let written = String(decoding: result.bytes, as: UTF8.self)
        #expect(try DefaultsValue(reading: Array(result.bytes)) == new, "\(text)\n\(new)")
        #expect(try isTakenAsLaid(result, StoredValue(new), into: source), "\(text)\n\(new)")
        if new == old { #expect(written == text) }
        // A list that is gone as a whole takes its own with it.
        if source.isList, new.isFlat, old.isFlat, StoredValue(new).bytes.first == source.bytes.first {
            for number in 0..<comments where text.contains("\n// \(number)\n") {
                #expect(written.contains("\n// \(number)\n"), "\(text)\n\(written)")
            }
        }
    }
}

extension DefaultsValue {
    /// A value made by chance.
    fileprivate static func drawn(depth: Int, _ random: inout SeededNumbers) -> DefaultsValue {
        let scalars: [DefaultsValue] = [
            nil, true, 1, 2, "a", "é\n", .number(DefaultsNumber("1.50") ?? DefaultsNumber(0)),
        ]
        switch Int.random(in: 0..<(depth > 0 ? 6 : 2), using: &random) {
        case 2, 3:
            return .array(
                (0..<Int.random(in: 0...5, using: &random)).map { _ in .drawn(depth: depth - 1, &random) })
        case 4, 5:
            let names = ["a", "b", "c", "d", "é"].shuffled(using: &random)
            let count = Int.random(in: 0...5, using: &random)
            return .object(
                DefaultsObject(
                    names.prefix(count).map { (key: $0, value: .drawn(depth: depth - 1, &random)) }))
        default: return scalars.randomElement(using: &random) ?? nil
        }
    }

    /// The value with something added, removed, moved or replaced at a place made by chance.
    fileprivate func altered(_ random: inout SeededNumbers) -> DefaultsValue {
        switch self {
        case .array(var elements):
            if let place = elements.indices.randomElement(using: &random) {
                switch Int.random(in: 0..<4, using: &random) {
                case 0: elements.remove(at: place)
                case 1: elements.shuffle(using: &random)
                case 2: elements.insert(.drawn(depth: 1, &random), at: place)
                default: elements[place] = elements[place].altered(&random)
                }
            } else {
                elements.append(.drawn(depth: 1, &random))
            }
            return .array(elements)
        case .object(let members):
            var members = members.map { (key: $0.key, value: $0.value) }
            if let place = members.indices.randomElement(using: &random) {
                switch Int.random(in: 0..<4, using: &random) {
                case 0: members.remove(at: place)
                case 1: members.shuffle(using: &random)
                default: members[place].value = members[place].value.altered(&random)
                }
            }
            if Bool.random(using: &random) { members.append((key: "new", value: .drawn(depth: 1, &random))) }
            return .object(DefaultsObject(members))
        default: return .drawn(depth: 0, &random)
        }
    }

    fileprivate var isFlat: Bool {
        switch self {
        case .array(let elements): elements.allSatisfy { !StoredValue($0).isList }
        case .object(let members): members.allSatisfy { !StoredValue($0.value).isList }
        default: true
        }
    }

    /// The value as a person might write it, with numbered comments.
    fileprivate func text(indent: String, _ comments: inout Int, _ random: inout SeededNumbers) -> String {
        let pieces: [String]
        var (open, close) = ("[", "]")
        switch self {
        case .array(let elements):
            pieces = elements.map { $0.text(indent: indent + "  ", &comments, &random) }
        case .object(let members):
            (open, close) = ("{", "}")
            pieces = members.map {
                "\(DefaultsValue.string($0.key)): " + $0.value.text(indent: indent + "  ", &comments, &random)
            }
        default: return description
        }
        let style = Int.random(in: 0..<4, using: &random)
        let blanks = [" ", "", "\n" + indent, " /* c */ ", " // c\n"]
        func blank() -> String { blanks.randomElement(using: &random) ?? "" }
        var text = open
        for (place, piece) in pieces.enumerated() {
            let isLast = place == pieces.count - 1
            switch style {
            case 0: text += piece + (isLast ? "" : ", ")
            case 1:
                if Bool.random(using: &random) {
                    text += "\n// \(comments)"
                    comments += 1
                }
                text += "\n" + indent + "  " + piece + (isLast && Bool.random(using: &random) ? "" : ",")
                if Bool.random(using: &random) { text += " // beside" }
            default: text += blank() + piece + blank() + (isLast ? "" : ",") + blank()
            }
        }
        return text + (style == 1 ? "\n" + indent : "") + close
    }
}
