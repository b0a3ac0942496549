/// Archives that Foundation would end the program on: they are refused, stored or about to be.
import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsFoundation

@Suite(.ownThread) struct HostileArchiveTests {
    private typealias Sample = ArchiveSample

    /// What stands in a ring beside it: the first object is the fourth in the table.
    private static let hostile: [(String, [ArchiveSample.Node])] = [
        ("a class that traps when it is asked", [Sample.object(of: 5), Sample.type("NSTextCheckingResult")]),
        ("another such class", [Sample.object(of: 5), Sample.type("NSOrthography")]),
        ("a text of nothing", [Sample.object(of: 5), Sample.type("NSString")]),
        (
            "a text that is a number",
            [Sample.object(of: 5, [("NS.string", .integer(1))]), Sample.type("NSString")]
        ),
        ("a URL of nothing", [Sample.object(of: 5), Sample.type("NSURL")]),
        (
            "an empty URL",
            [Sample.object(of: 5, [("NS.relative", .object(6))]), Sample.type("NSURL"), .text("")]
        ),
        (
            "a URL whose base is none",
            [
                Sample.object(of: 5, [("NS.relative", .object(6)), ("NS.base", .object(7))]),
                Sample.type("NSURL"),
                .text("a"), Sample.object(of: 8), Sample.type("NSString"),
            ]
        ),
        ("an error of nothing", [Sample.object(of: 5), Sample.type("NSError")]),
        ("a query of nothing", [Sample.object(of: 5), Sample.type("NSURLQueryItem")]),
        (
            "an ordered set of no object",
            [Sample.object(of: 5, [("NS.object.0", .integer(1))]), Sample.type("NSOrderedSet")]
        ),
        (
            "a pattern with options that there are not",
            [
                Sample.object(of: 5, [("NSPattern", .object(6)), ("NSOptions", .integer(-1))]),
                Sample.type("NSRegularExpression"), .text("a"),
            ]
        ),
        (
            "indexes without number",
            [Sample.object(of: 5, [("NSRangeCount", .integer(.max))]), Sample.type("NSMutableIndexSet")]
        ),
        (
            "a dictionary without values",
            [
                Sample.object(of: 5, [("NS.keys", .list([.object(6)]))]), Sample.type("NSDictionary"),
                .text("a"),
            ]
        ),
        (
            "a dictionary of too few values",
            [
                Sample.object(of: 5, [("NS.keys", .list([.object(6)])), ("NS.objects", .list([]))]),
                Sample.type("NSDictionary"), .text("a"),
            ]
        ),
        (
            "a dictionary of a value that is none",
            [
                Sample.object(
                    of: 5, [("NS.keys", .list([.object(6)])), ("NS.objects", .list([.object(0)]))]),
                Sample.type("NSDictionary"), .text("a"),
            ]
        ),
        (
            "a dictionary of a list in which an object does not come out",
            [
                Sample.object(
                    of: 5,
                    [
                        ("NS.keys", .list([.object(6), .object(7)])),
                        ("NS.objects", .list([.object(8), .object(6)])),
                    ]), Sample.type("NSDictionary"), .text("a"), .text("b"),
                Sample.object(of: 9, [("NS.objects", .list([.object(10)]))]), Sample.type("NSArray"),
                Sample.object(of: 11), Sample.type(pointName),
            ]
        ),
        (
            "a dictionary of an object that does not come out",
            [
                Sample.object(
                    of: 5, [("NS.keys", .list([.object(6)])), ("NS.objects", .list([.object(7)]))]),
                Sample.type("NSDictionary"), .text("a"), Sample.object(of: 8), Sample.type(pointName),
            ]
        ),
        (
            "a list that is a number",
            [Sample.object(of: 5, [("NS.objects", .integer(1))]), Sample.type("NSArray")]
        ),
        ("a transform", [Sample.object(of: 5, [("NS.type", .text("a"))]), Sample.type("NSAffineTransform")]),
        (
            "an identifier that is too short",
            [
                Sample.object(of: 5, [("NS.uuidbytes", .data([1, 2]))]), Sample.type("NSUUID"),
            ]
        ),
    ]

    private static let pointName = NSStringFromClass(Point.self)

    @Test(arguments: hostile.indices)
    func `an archive that Foundation would end the program on is a value that does not decode`(_ number: Int)
    {
        let text = "\"\(Sample.inRing(Self.hostile[number].1))\""
        #expect(throws: (any Error).self, "\(Self.hostile[number].0)") {
            try DefaultsCodec<Ring>.secureCoding().decode(Array(text.utf8))
        }
    }

    @Test func `the same archives are read where what is inside is whole`() throws {
        let whole: [[ArchiveSample.Node]] = [
            [Sample.object(of: 5, [("NS.string", .text("a"))]), Sample.type("NSMutableString")],
            [
                Sample.object(of: 5, [("NS.relative", .object(6)), ("NS.base", .object(0))]),
                Sample.type("NSURL"),
                .text("a/b"),
            ],
            [Sample.object(of: 5, [("NS.time", .real(1))]), Sample.type("NSDate")],
            [
                Sample.object(
                    of: 5, [("NS.keys", .list([.object(6)])), ("NS.objects", .list([.object(6)]))]),
                Sample.type("NSDictionary"), .text("a"),
            ],
            [Sample.object(of: 5, [("NS.objects", .list([.object(6)]))]), Sample.type("NSSet"), .text("a")],
        ]
        for objects in whole {
            let text = "\"\(Sample.inRing(objects))\""
            let ring = try DefaultsCodec<Ring>.secureCoding().decode(Array(text.utf8))
            #expect(ring.other != nil, "\(objects)")
        }
    }

    @Test func `an object with two classes is refused`() {
        let object = Sample.Node.members([
            ("NS.time", .real(1)), ("$class", .object(3)), ("$class", .object(2)),
        ])
        let text = ArchiveSample.base64([object, Sample.type("NSDate"), Sample.type("NSUUID")])
        #expect(throws: (any Error).self) {
            try DefaultsCodec<NSDate>.secureCoding().decode(Array("\"\(text)\"".utf8))
        }
    }

    private static let refused: [@Sendable () -> NSObject] = [
        { NSError(domain: "a", code: 1) }, { NSDecimalNumber(value: 1.5) },
        { NSArray(array: [NSError(domain: "a", code: 1)]) },
        { NSDictionary(dictionary: ["a": Decimal(1)]) },
        { NSArray(array: [NSArray(array: [NSDecimalNumber(value: 1)])]) },
        { NSDateInterval(start: Date(timeIntervalSince1970: 0), duration: 9) },
        { NSAttributedString(string: "a", attributes: [NSAttributedString.Key("k"): 1]) },
        { NSDictionary(dictionary: ["a": Point(1, 2)]) },
    ]

    @Test(arguments: refused.indices)
    func `an object that would trap, or not come back as it was, is not stored`(_ number: Int) {
        let ring = Ring()
        ring.other = Self.refused[number]()
        // Inside a class of one's own the archiver asks for a hash before it asks us; so only what has one goes in there.
        let isHashable = number > 1
        #expect(throws: (any Error).self) {
            if isHashable {
                _ = try DefaultsCodec<Ring>.secureCoding().encode(ring)
            } else {
                try Self.encode(ring.other)
            }
        }
    }

    private static func encode(_ object: NSObject?) throws {
        switch object {
        case let error as NSError: _ = try DefaultsCodec<NSError>.secureCoding().encode(error)
        case let number as NSDecimalNumber:
            _ = try DefaultsCodec<NSDecimalNumber>.secureCoding().encode(number)
        default: break
        }
    }

    @Test func `numbers, texts and collections of Foundation come back, whatever class is behind them`()
        throws
    {
        func comesBack<Object: NSObject & NSSecureCoding & Sendable>(_ object: Object) throws {
            let codec = DefaultsCodec<Object>.secureCoding()
            #expect(try codec.decode(codec.encode(object)) == object)
        }
        for number in [NSNumber(value: true), NSNumber(value: 7), NSNumber(value: 0.5)] {
            try comesBack(number)
        }
        try comesBack(NSDate(timeIntervalSinceReferenceDate: 0.25))
        try comesBack(NSURL(string: "a/b", relativeTo: URL(string: "https://example.com/c/"))!)
        let list = NSArray(array: [
            "a", 1, NSNull(), NSDictionary(dictionary: ["k": Date(timeIntervalSince1970: 1)]),
        ])
        let ring = Ring()
        ring.other = list
        let codec = DefaultsCodec<Ring>.secureCoding()
        #expect(try codec.decode(codec.encode(ring)).other == list)
    }
}
