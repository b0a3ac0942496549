/// Collections that Foundation reads from an archive, and ends the program on when somebody looks into them.
import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsFoundation

@Suite(.ownThread) struct HostileCollectionTests {
    private typealias Sample = ArchiveSample
    private typealias Node = ArchiveSample.Node

    /// A list as the first object, of the one that follows; the class of that is `NSURL`.
    private static func list(ofURL text: String) -> [Node] { list(ofURL: text, base: .object(0), []) }

    private static func list(ofURL text: String, base: Node, _ further: [Node]) -> [Node] {
        [
            Sample.object(of: 5, [("NS.objects", .list([.object(6)]))]), Sample.type("NSArray"),
            Sample.object(of: 7, [("NS.relative", .object(8)), ("NS.base", base)]), Sample.type("NSURL"),
            .text(text),
        ] + further
    }

    /// The same, of a URL that has a base.
    private static func list(ofURL text: String, base: String) -> [Node] {
        let further = [
            Sample.object(of: 7, [("NS.relative", .object(10)), ("NS.base", .object(0))]), .text(base),
        ]
        return list(ofURL: text, base: .object(9), further)
    }

    /// A collection of the class and with the members; they may refer to the seventh object, an array of the tenth, a
    /// text, to the eighth, a dictionary, and to the ninth, a set.
    private static func collection(_ type: String, _ members: [(String, [Int])]) -> [Node] {
        let text = Node.list([.object(9)])
        return [
            Sample.object(of: 5, members.map { ($0.0, .list($0.1.map(Node.object))) }), Sample.type(type),
            Sample.object(of: 10, [("NS.objects", text)]),
            Sample.object(of: 11, [("NS.keys", text), ("NS.objects", text)]),
            Sample.object(of: 12, [("NS.objects", text)]), .text("a"), Sample.type("NSMutableArray"),
            Sample.type("NSDictionary"), Sample.type("NSSet"),
        ]
    }

    /// A collection of the class, of what stands in the table without a class.
    private static func bare(_ type: String, _ node: Node) -> [Node] {
        [Sample.object(of: 5, [("NS.objects", .list([.object(6)]))]), Sample.type(type), node]
    }

    /// An array of an object of the class with the member.
    private static func value(of type: String, _ member: (String, Node)) -> [Node] {
        bare("NSArray", Sample.object(of: 7, [member])) + [Sample.type(type)]
    }

    private static let hostile: [(String, [Node])] = [
        ("a scheme that Swift's URL does not take", list(ofURL: "*ttp://a/b")),
        ("a port that Swift's URL does not take", list(ofURL: "http://a:z/b")),
        ("a text of which NSURL makes another that Swift's URL does not take", list(ofURL: "[ttp://a/b")),
        ("a base that Swift's URL does not take", list(ofURL: "a", base: "*ttp://a/b")),
        ("a text that Swift's URL does not take with this base", list(ofURL: "[[", base: "a#!")),
        ("an array as a key", collection("NSDictionary", [("NS.keys", [6]), ("NS.objects", [9])])),
        (
            "a dictionary as a key",
            collection("NSMutableDictionary", [("NS.keys", [7]), ("NS.objects", [9])])
        ),
        ("a set as a key", collection("NSDictionary", [("NS.keys", [8]), ("NS.objects", [9])])),
        ("a set in a set", collection("NSSet", [("NS.objects", [8])])),
        ("an array without a class in a set", bare("NSSet", .list([.object(6)]))),
        ("an array without a class in an array", bare("NSMutableArray", .list([]))),
        ("a dictionary without a class in a set", bare("NSSet", .members([("a", .integer(1))]))),
        ("a date that stands in the table itself", bare("NSArray", .date(1))),
        ("a reference that stands in the table itself", bare("NSArray", .object(4))),
        (
            "a class in a set",
            [Sample.object(of: 5, [("NS.objects", .list([.object(5)]))]), Sample.type("NSSet")]
        ),
        ("a date that is not a number", value(of: "NSDate", ("NS.time", .real(.nan)))),
        (
            "a URL with a base as a key",
            [
                Sample.object(
                    of: 5, [("NS.keys", .list([.object(6)])), ("NS.objects", .list([.object(8)]))]),
                Sample.type("NSDictionary"),
                Sample.object(of: 7, [("NS.relative", .object(8)), ("NS.base", .object(9))]),
                Sample.type("NSURL"), .text("b"),
                Sample.object(of: 7, [("NS.relative", .object(10)), ("NS.base", .object(0))]),
                .text("http://a/"),
            ]
        ),
        (
            "two objects that stand for null",
            [
                Sample.object(of: 5, [("NS.objects", .list([.object(6), .object(7)]))]),
                Sample.type("NSArray"), Sample.object(of: 8), Sample.object(of: 8), Sample.type("NSNull"),
            ]
        ),
        (
            "texts of the same characters in different scalars",
            [
                Sample.object(of: 5, [("NS.objects", .list([.object(6), .object(7)]))]),
                Sample.type("NSSet"), .text("\u{E9}"), .text("e\u{301}"),
            ]
        ),
        ("an array in a set", collection("NSSet", [("NS.objects", [6])])),
        ("a dictionary in a set", collection("NSMutableSet", [("NS.objects", [9, 7])])),
    ]

    @Test(arguments: hostile.indices)
    func `a collection that Foundation would end the program on is a value that does not decode`(
        _ number: Int
    ) {
        let text = "\"\(Sample.inRing(Self.hostile[number].1))\""
        #expect(throws: (any Error).self, "\(Self.hostile[number].0)") {
            try DefaultsCodec<Ring>.secureCoding().decode(Array(text.utf8))
        }
    }

    @Test func `the same collections are read, and can be compared, where what is inside is whole`() throws {
        let whole = [
            Self.list(ofURL: "http://a:80/b"), Self.list(ofURL: "a%5B", base: "https://example.com/c/"),
            Self.collection("NSDictionary", [("NS.keys", [9]), ("NS.objects", [8])]),
            Self.collection("NSSet", [("NS.objects", [9])]),
            Self.collection("NSArray", [("NS.objects", [6, 7, 8, 9])]),
        ]
        for objects in whole {
            let text = Array("\"\(Sample.inRing(objects))\"".utf8)
            let one = try DefaultsCodec<Ring>.secureCoding().decode(text)
            let two = try DefaultsCodec<Ring>.secureCoding().decode(text)
            #expect(one.other != nil && one.other == two.other, "\(objects)")
        }
    }

    @Test func `a stored collection of such keys leaves the key its default`() throws {
        let suite = DefaultsSuite.inMemory()
        let key = Defaults.NSSecureCodingOptionalKey<Ring>("ring", suite: suite)
        try suite.setUnchecked(.string(Sample.inRing(Self.hostile[5].1)), forKey: "ring")
        #expect(suite[key] == nil)
        #expect(suite.problems().map(\.code) == [.typeMismatch])
    }

    private static let refused: [@Sendable () -> NSObject] = [
        { NSDictionary(dictionary: [NSArray(array: ["a"]): "b"]) },
        { NSDictionary(dictionary: [NSDictionary(dictionary: ["a": "b"]): "b"]) },
        { NSSet(array: [NSArray(array: ["a"])]) },
        { NSArray(array: [NSMutableSet(array: [NSDictionary(dictionary: ["a": "b"])])]) },
        { NSSet(array: [NSSet(array: ["a"])]) },
        {
            let url = NSURL(string: "b", relativeTo: URL(string: "http://a/"))
            return NSDictionary(objects: ["a"], forKeys: url.map { [$0] } ?? [])
        },
    ]

    @Test(arguments: refused.indices)
    func `a collection that could not be compared is not stored`(_ number: Int) throws {
        let suite = DefaultsSuite.inMemory()
        let key = Defaults.NSSecureCodingOptionalKey<Ring>("ring", suite: suite)
        let ring = Ring()
        ring.other = Self.refused[number]()
        let error = #expect(throws: DefaultsError.self) { try suite.set(key, to: ring) }
        #expect(error?.code == .encodingFailed)
        #expect(
            error?.underlyingDescription
                == "a collection, or a URL with a base, is a key of a dictionary, or in a set")
    }

    private static let unequal: [@Sendable () -> NSObject] = [
        { NSArray(array: [NSNull(), NSNull()]) }, { NSArray(array: ["\u{E9}", ["e\u{301}"]]) },
    ]

    @Test(arguments: unequal.indices)
    func `objects that are equal and have different hashes are not stored`(_ number: Int) throws {
        let suite = DefaultsSuite.inMemory()
        let key = Defaults.NSSecureCodingOptionalKey<Ring>("ring", suite: suite)
        let ring = Ring()
        ring.other = Self.unequal[number]()
        let error = #expect(throws: DefaultsError.self) { try suite.set(key, to: ring) }
        #expect(error?.underlyingDescription?.hasSuffix("equal but have different hashes") == true)
    }

    /// A chain of objects of a class, each of which refers to the next as often as that; the last one holds a text.
    private static func chain(of type: String, _ depth: Int, times: Int) -> [Node] {
        let links = (0..<depth).map { place in
            Sample.object(
                of: depth + 5, [("NS.objects", .list(Array(repeating: .object(place + 5), count: times)))])
        }
        return links + [.text("a"), Sample.type(type)]
    }

    @Test(arguments: [(16, 2), (60, 2), (10, 2), (3, 60), (17, 1), (120, 1)])
    func `a small archive whose references unfold to more than can be compared is refused`(
        depth: Int, times: Int
    ) {
        let text = "\"\(Sample.inRing(Self.chain(of: "NSArray", depth, times: times)))\""
        let error = #expect(throws: (any Error).self) {
            try DefaultsCodec<Ring>.secureCoding().decode(Array(text.utf8))
        }
        #expect(error.map { "\($0)".contains("its references unfold to more than") } == true)
    }

    @Test func `an archive in which one object is referred to often is read`() throws {
        for (depth, times) in [(8, 2), (2, 30), (16, 1)] {
            let text = "\"\(Sample.inRing(Self.chain(of: "NSArray", depth, times: times)))\""
            #expect(try DefaultsCodec<Ring>.secureCoding().decode(Array(text.utf8)).other is NSArray)
        }
    }

    @Test func `more collections than can be archived in moments are not stored`() throws {
        let suite = DefaultsSuite.inMemory()
        let key = Defaults.NSSecureCodingOptionalKey<Ring>("ring", suite: suite)
        let ring = Ring()
        ring.other = NSArray(array: (0..<1_000).map { [$0] })
        let error = #expect(throws: DefaultsError.self) { try suite.set(key, to: ring) }
        #expect(error?.underlyingDescription?.contains("or 1000 collections") == true)
    }

    @Test func `an escape in the text of an archive is the character that it stands for`() throws {
        let text = Sample.inRing([.text("a")])
        let escaped = text.map { "\\u00" + String($0.asciiValue ?? 0, radix: 16) }.joined()
        let codec = DefaultsCodec<Ring>.secureCoding()
        #expect(try codec.decode(Array("\"\(escaped)\"".utf8)).other == NSString("a"))
        // Without the escapes it would be base64 all the same.
        #expect(throws: (any Error).self) {
            try codec.decode(Array("\"\(text.replacing("A", with: "\\u00e9"))\"".utf8))
        }
    }
}
