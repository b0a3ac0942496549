import DefaultsStore
import Testing

/// A settings file as it is changed.
struct SettingsDocumentEditingTests {
    @Test(arguments: [
        ("{\n  \"a\": 1,\n  \"b\": 2\n}\n", "{\n  \"a\": 9,\n  \"b\": 2\n}\n"),
        ("\u{FEFF}{\r\n\t\"a\" : 100 ,\r\n\t\"b\":2}", "\u{FEFF}{\r\n\t\"a\" : 9 ,\r\n\t\"b\":2}"),
        ("{\"a\": [1, // c\n 2], /* d */ \"b\": 2}", "{\"a\": 9, /* d */ \"b\": 2}"),
        ("{\"a\": 1, // of a\n \"b\": 2}", "{\"a\": 9, // of a\n \"b\": 2}"),
        ("{\"a\": 1, \"b\": 2, \"a\": 3}", "{\"a\": 1, \"b\": 2, \"a\": 9}"),
    ])
    func `setting a key replaces its value's bytes and no others`(text: String, expected: String) {
        #expect(edit(text, [("a", "9")]) == expected)
    }

    @Test(arguments: [
        ("", "{\n  \"n\": 9\n}\n"),
        ("{}\n", "{\n  \"n\": 9\n}\n"),
        ("{ }", "{\n  \"n\": 9\n}"),
        ("{\n}\n", "{\n  \"n\": 9\n}\n"),
        ("{\r\n}\r\n", "{\r\n  \"n\": 9\r\n}\r\n"),
        ("{ // c\n}\n", "{ // c\n  \"n\": 9\n}\n"),
        ("{ /* c */ }", "{ /* c */\n  \"n\": 9\n}"),
        ("{\n  \"a\": 1\n}\n", "{\n  \"a\": 1,\n  \"n\": 9\n}\n"),
        ("{\n  \"a\": 1\n}", "{\n  \"a\": 1,\n  \"n\": 9\n}"),
        ("{\n\t\"a\": 1\n}\n", "{\n\t\"a\": 1,\n\t\"n\": 9\n}\n"),
        ("{\n\"a\": 1\n}\n", "{\n\"a\": 1,\n\"n\": 9\n}\n"),
        ("{\r\n    \"a\": 1\r\n}\r\n", "{\r\n    \"a\": 1,\r\n    \"n\": 9\r\n}\r\n"),
        ("{\n  \"a\": 1 // c\n}\n", "{\n  \"a\": 1, // c\n  \"n\": 9\n}\n"),
        ("{\n  \"a\": 1, // c\n}\n", "{\n  \"a\": 1, // c\n  \"n\": 9,\n}\n"),
        ("{\n  \"a\": 1,\n}\n", "{\n  \"a\": 1,\n  \"n\": 9,\n}\n"),
        ("{\n  \"a\": 1\n  // c  \n\n}\n", "{\n  \"a\": 1,\n  // c  \n  \"n\": 9\n\n}\n"),
        ("{\n  \"a\": 1 /* c */ , // d\n}\n", "{\n  \"a\": 1 /* c */ , // d\n  \"n\": 9,\n}\n"),
        ("{\"a\": 1}", "{\"a\": 1,\n  \"n\": 9\n}"),
        ("{\"a\": 1 }", "{\"a\": 1,\n  \"n\": 9\n}"),
        ("\u{FEFF}{\"a\": 1,} // end", "\u{FEFF}{\"a\": 1,\n  \"n\": 9,\n} // end"),
        ("{\n  \"a\": 1}", "{\n  \"a\": 1,\n  \"n\": 9\n}"),
    ])
    func `a new key goes on a line of its own behind the last one`(text: String, expected: String) {
        #expect(edit(text, [("n", "9")]) == expected)
    }

    private static let object = #"{"b": 1, "c": {"d": [1, {"e": 2}], "f": {}}}"#

    @Test(arguments: [
        (
            "{\n  \"a\": 1\n}\n",
            """
            {
              "a": 1,
              "n": {
                "b": 1,
                "c": {
                  "d": [1, {"e": 2}],
                  "f": {}
                }
              }
            }

            """
        ),
        (
            "{\r\n\t\"a\": {\r\n\t\t\"b\": 1\r\n\t},\r\n\t\"l\": [{\"b\": 1}]\r\n}",
            "{\r\n\t\"a\": {\r\n\t\t\"b\": 1\r\n\t},\r\n\t\"l\": [{\"b\": 1}],\r\n\t\"n\": {\r\n\t\t\"b\": 1,\r\n\t\t"
                + "\"c\": {\r\n\t\t\t\"d\": [1, {\"e\": 2}],\r\n\t\t\t\"f\": {}\r\n\t\t}\r\n\t}\r\n}"
        ),
        (
            "{\n  \"a\": {\"b\": 1},\n  \"e\": {}\n}",
            "{\n  \"a\": {\"b\": 1},\n  \"e\": {},\n  \"n\": \(object)\n}"
        ),
        ("{\"a\": 1}", "{\"a\": 1,\n  \"n\": \(object)\n}"),
    ])
    func `a new object has its members on lines of their own where the others have`(
        text: String, expected: String
    ) {
        #expect(edit(text, [("n", Self.object)]) == expected)
    }

    @Test func `a new object of more than 64 KiB is left on one line`() {
        let long = "{\"b\": \"\(String(repeating: "x", count: 65_536))\"}"
        #expect(edit("", [("n", long)]) == "{\n  \"n\": \(long)\n}\n")
    }

    @Test(arguments: [
        ("{}\n", "{\n  \"$schema\": 9\n}\n"),
        ("{\n  \"a\": 1\n}\n", "{\n  \"$schema\": 9,\n  \"a\": 1\n}\n"),
        ("{\"a\": 1}", "{\n  \"$schema\": 9,\n  \"a\": 1}"),
        ("{ \"a\": 1, }", "{\n  \"$schema\": 9,\n  \"a\": 1, }"),
        (
            "\u{FEFF}// c\r\n{\r\n\t\"a\": 1\r\n}\r\n",
            "\u{FEFF}// c\r\n{\r\n\t\"$schema\": 9,\r\n\t\"a\": 1\r\n}\r\n"
        ),
        ("{ // c\n  // of a\n  \"a\": 1\n}\n", "{ // c\n  \"$schema\": 9,\n  // of a\n  \"a\": 1\n}\n"),
        ("{// c\r\n  \"a\": 1\r\n}", "{// c\r\n  \"$schema\": 9,\r\n  \"a\": 1\r\n}"),
        ("{ /* c\n d */ \"a\": 1 }", "{\n  \"$schema\": 9,\n  /* c\n d */ \"a\": 1 }"),
        ("{ \n\n  \"a\": 1\n}", "{\n  \"$schema\": 9,\n\n  \"a\": 1\n}"),
        ("{\n  \"a\": 1,\n  \"$schema\": 2\n}", "{\n  \"a\": 1,\n  \"$schema\": 9\n}"),
    ])
    func `a new $schema goes before the first member`(text: String, expected: String) {
        #expect(edit(text, [("$schema", "9")]) == expected)
    }

    @Test func `with others, $schema is still the first and they the last`() {
        #expect(
            edit("{\n  \"a\": 1\n}", [("n", "2"), ("$schema", "9"), ("a", "3")])
                == "{\n  \"$schema\": 9,\n  \"a\": 3,\n  \"n\": 2\n}")
        #expect(edit("", [("n", "2"), ("$schema", "9")]) == "{\n  \"$schema\": 9,\n  \"n\": 2\n}\n")
    }

    @Test func `several new keys go on a line each, in order`() {
        #expect(
            edit("", [("b", "1"), ("a", "2"), ("c\n", "3")])
                == "{\n  \"b\": 1,\n  \"a\": 2,\n  \"c\\n\": 3\n}\n")
    }

    @Test(arguments: [
        ("{\n  \"x\": 1,\n  \"b\": 2\n}\n", "{\n  \"b\": 2\n}\n"),
        ("{\n  \"a\": 1,\n  \"x\": 2\n}\n", "{\n  \"a\": 1\n}\n"),
        ("{\r\n  \"a\": 1,\r\n  \"x\": 2\r\n}\r\n", "{\r\n  \"a\": 1\r\n}\r\n"),
        ("{\n  \"a\": 1,\n  \"x\": 2,\n}\n", "{\n  \"a\": 1,\n}\n"),
        ("{\n  \"x\": 1\n}\n", "{}\n"),
        ("{\n  \"x\": 1,\n}\n", "{}\n"),
        ("\u{FEFF}{\"x\": 1}", "\u{FEFF}{}"),
        ("{\"x\": 1, \"b\": 2}", "{\"b\": 2}"),
        ("{\"a\": 1, \"x\": 2}", "{\"a\": 1}"),
        ("{ \"a\": 1, \"x\": 2 }", "{ \"a\": 1 }"),
        ("{\"a\": 1, \"x\": 2, \"x\": 3}", "{\"a\": 1}"),
        ("{\"x\": 1, \"x\": 2, \"b\": 3}", "{\"b\": 3}"),
        ("{\"a\": 1, \"x\": 2,}", "{\"a\": 1,}"),
        ("{\n  \"a\": 1, \"x\": 2,\n  \"b\": 3\n}", "{\n  \"a\": 1,\n  \"b\": 3\n}"),
        ("{\n  \"x\": 1, \"x\": 2,\n  \"b\": 3\n}", "{\n  \"b\": 3\n}"),
        ("{\n  \"x\": [\n    1\n  ],\n  \"b\": 3\n}", "{\n  \"b\": 3\n}"),
        (
            "{\n  // of x\n  \"x\": 1, // beside x\n  // of b\n  \"b\": 2\n}",
            "{\n  // of x\n  // of b\n  \"b\": 2\n}"
        ),
        ("{\n  \"a\": 1, // of a\n  \"x\": 2 // of x\n}", "{\n  \"a\": 1 // of a\n}"),
        ("{\n  \"x\": 1 /* c */ , \"b\": 2\n}", "{\n  \"b\": 2\n}"),
        ("{\n  \"x\": 1 // c\n  , \"b\": 2\n}", "{\n  \"b\": 2\n}"),
        ("{\n  \"x\": 1\n  // c\n  , // d\n  \"b\": 2\n}", "{\n  // c\n  \"b\": 2\n}"),
        ("{\n  \"x\": 1, /* c */ // d\n  \"b\": 2\n}", "{\n  \"b\": 2\n}"),
        ("{\n  \"x\": 1, /* c\n d */\n  \"b\": 2\n}", "{\n  \"b\": 2\n}"),
        ("{\n  \"x\": 1, /* of b */ \"b\": 2\n}", "{\n  /* of b */ \"b\": 2\n}"),
        ("{\n  \"a\": 1, \"x\": 2, // of x\n  \"b\": 3\n}", "{\n  \"a\": 1,\n  \"b\": 3\n}"),
        ("{\n  \"x\": 1, \"a\": 2, // of a\n  \"b\": 3\n}", "{\n  \"a\": 2, // of a\n  \"b\": 3\n}"),
        ("{\n  \"a\": 1, // of a\n  \"x\": 2 /* of x */ }", "{\n  \"a\": 1 // of a\n }"),
        ("{\n  \"a\": 1\n  , \"x\": 2\n}", "{\n  \"a\": 1\n}"),
        ("{\n  // c\n  \"x\": 1\n}", "{\n  // c\n}"),
        ("{\n  \"a\": 1,\n  \"x\": 2}", "{\n  \"a\": 1\n}"),
    ])
    func
        `a removed key takes its line, one comma and the comments beside it along, and leaves those on lines of their own`(
            text: String, expected: String
        )
    {
        #expect(edit(text, [("x", nil)]) == expected)
    }

    @Test func `later changes of a key win`() {
        #expect(edit("{\"a\": 1}", [("a", nil), ("b", "1"), ("a", "2"), ("b", nil)]) == "{\"a\": 2}")
    }

    @Test func `a layout outlives the removal of every member it came from`() {
        #expect(edit("{\r\n\t\"a\": 1\r\n}", [("a", nil), ("b", "2")]) == "{\r\n\t\"b\": 2\r\n}")
    }

    @Test(
        arguments: [
            ("{ }", [("x", nil)]), ("{\"a\": 1, \"a\": 2}", [("a", "2"), ("x", nil)]), ("", []),
            ("", [("x", nil)]),
            ("{\"a\": 1, x}", [("a", "1")]),
        ] as [(String, [(String, String?)])])
    func `changes that change nothing leave the bytes as they are`(text: String, changes: [(String, String?)])
    {
        #expect(edit(text, changes) == text)
    }

    @Test(arguments: [
        (
            "{\n    \"a\": 1,\n    \"b\": x,\n    \"c\": [1,\n 2, // c\n]\n}",
            "{\n  \"a\": 1,\n  \"c\": [1, 2],\n  \"n\": 9\n}\n"
        ),
        ("{\"a\": 1, \"b\": [2 ,3], \"a\": 4, x", "{\n  \"b\": [2 ,3],\n  \"a\": 4,\n  \"n\": 9\n}\n"),
        ("[1]", "{\n  \"n\": 9\n}\n"),
    ])
    func `a damaged text is written anew from the members it still had`(text: String, expected: String) {
        #expect(edit(text, [("n", "9")]) == expected)
    }

    @Test func `names that differ only in Unicode form are changed apart`() {
        #expect(
            edit("{\"\u{E9}\": 1, \"e\u{301}\": 2}", [("e\u{301}", "9")]).utf8.elementsEqual(
                "{\"\u{E9}\": 1, \"e\u{301}\": 9}".utf8))
    }

    /// Applies the changes, and checks on the way that what comes out is what reading it again gives.
    private func edit(
        _ text: String, _ changes: [(String, String?)], sourceLocation: SourceLocation = #_sourceLocation
    ) -> String {
        let document = text.isEmpty ? .empty : SettingsDocument.read(Array(text.utf8)).document
        let edited = document.applying(
            changes.map { (KeyName($0), $1.map { StoredValue(trusted: Array($0.utf8)[...]) }) })
        if edited.bytes != document.bytes { expectSound(edited, sourceLocation: sourceLocation) }
        return String(decoding: edited.bytes, as: UTF8.self)
    }
}

/// Checks that a document's members are those that reading its bytes gives.
func expectSound(_ document: SettingsDocument, sourceLocation: SourceLocation = #_sourceLocation) {
    let (again, fault) = SettingsDocument.read(document.bytes)
    #expect(fault == nil, sourceLocation: sourceLocation)
    #expect(again.members == document.members, sourceLocation: sourceLocation)
    #expect(Array(again.keys) == Array(document.keys), sourceLocation: sourceLocation)
    #expect(
        again.keys.allSatisfy { again.value(forKey: $0) == document.value(forKey: $0) },
        sourceLocation: sourceLocation)
}
