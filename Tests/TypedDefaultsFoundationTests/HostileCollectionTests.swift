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
            Self.collection("NSDictionary", [("NS.keys", [8, 9]), ("NS.objects", [6, 7])]),
            Self.collection("NSSet", [("NS.objects", [8, 9])]),
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
        try suite.set(.string(Sample.inRing(Self.hostile[5].1)), forKey: "ring")
        #expect(suite[key] == nil)
        #expect(suite.problems().map(\.code) == [.typeMismatch])
    }

    private static let refused: [@Sendable () -> NSObject] = [
        { NSDictionary(dictionary: [NSArray(array: ["a"]): "b"]) },
        { NSDictionary(dictionary: [NSDictionary(dictionary: ["a": "b"]): "b"]) },
        { NSSet(array: [NSArray(array: ["a"])]) },
        { NSArray(array: [NSMutableSet(array: [NSDictionary(dictionary: ["a": "b"])])]) },
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
                == "an array or a dictionary is a key of a dictionary, or in a set")
    }
}
