/// Keys of classes that support secure coding.
import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsFoundation
import TypedDefaultsPropertyLists

@Suite(.ownThread, .timeLimit(.minutes(60))) struct SecureCodingKeyTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let failures: FailureRecorder
    private let point: Defaults.NSSecureCodingKey<Point>

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        failures = FailureRecorder(suite)
        point = Defaults.NSSecureCodingKey<Point>("point", default: Point(1, 2), suite: suite)
    }

    @Test func `an object comes back as it was, also in a suite opened anew`() throws {
        #expect(Defaults[point] == Point(1, 2))
        Defaults[point] = Point(3, 4)
        #expect(Defaults[point] == Point(3, 4))
        let again = Defaults.NSSecureCodingKey<Point>(
            "point", default: Point(0, 0), suite: try folder.suite())
        #expect(try again.suite.value(again) == Point(3, 4))
        #expect(failures.all == [])
    }

    @Test func `what is stored is a JSON string of the archive in base64`() throws {
        Defaults[point] = Point(3, 4)
        let text = try #require(suite.value(forKey: "point")?.string)
        let archive = try #require(Data(base64Encoded: text))
        let object = try NSKeyedUnarchiver.unarchivedObject(ofClass: Point.self, from: archive)
        #expect(object == Point(3, 4))
    }

    @Test func `an optional key is nil until it is set, and setting nil removes the value`() throws {
        let key = Defaults.NSSecureCodingOptionalKey<Point>("maybe", suite: suite)
        #expect(Defaults[key] == nil)
        Defaults[key] = Point(5, 6)
        #expect(Defaults[key] == Point(5, 6))
        Defaults[key] = nil
        #expect(!Defaults.isSet(key))
        #expect(failures.all == [])
    }

    @Test func `observers hear of objects`() {
        let heard = Recorder<Int>()
        let observation = Defaults.observe(point, options: []) { heard.append($0.newValue.x) }
        Defaults[point] = Point(3, 4)
        Defaults[point] = Point(3, 4)
        Defaults.reset(point)
        #expect(heard.all == [3, 1])
        observation.invalidate()
    }

    @Test func `an object's text is in the order of names, and of where objects are referred to first`()
        throws
    {
        let text = try DefaultsCodec<Line>.secureCoding().encode(
            Line(Point(1, 2), NamedPoint(3, 4, "end"), "line"))
        let archive = try #require(Data(base64Encoded: Data(text.dropFirst().dropLast())))
        let objects = try #require(try PropertyListValue.read(Array(archive))["$objects"]?.array)
        var seen = [0, 1]
        for object in objects {
            guard case .dictionary(let members) = object else { continue }
            #expect(members.map(\.key) == members.map(\.key).sorted())
            for number in members.compactMap({ $0.value.reference.map(Int.init) })
            where !seen.contains(number) {
                seen.append(number)
            }
        }
        #expect(seen == Array(objects.indices))
    }

    @Test func `collections with the same elements have the same text, whatever order they are in`() throws {
        func collection(_ numbers: some Sequence<Int>, _ surplus: Int) -> Bag {
            let (set, inner, outer) = (NSMutableSet(), NSMutableDictionary(), NSMutableDictionary())
            // The order of a collection's elements depends on its capacity.
            for number in 0..<surplus { set.add(NSNumber(value: 1_000 + number)) }
            for number in 0..<surplus { set.remove(NSNumber(value: 1_000 + number)) }
            for number in 0..<surplus { outer["s\(number)"] = NSNumber(value: 1) }
            for number in 0..<surplus { outer.removeObject(forKey: "s\(number)") }
            for number in numbers {
                set.add(NSNumber(value: number))
                inner[NSString(string: "n\(number)")] = NSNumber(value: number)
                outer[NSString(string: "k\(number)")] = NSUUID(
                    uuidBytes: Array(repeating: UInt8(number), count: 16))
            }
            outer["set"] = set
            outer["inner"] = inner
            return Bag(outer)
        }
        let codec = DefaultsCodec<Bag>.secureCoding()
        let one = collection(0..<20, 0)
        let other = collection((0..<20).reversed(), 500)
        let texts = try [one, other].map { String(decoding: try codec.encode($0), as: UTF8.self) }
        #expect(texts[0] == texts[1])
        #expect(try codec.decode(Array(texts[1].utf8)).contents == one.contents)
    }

    @Test func `setting an object that archives as the stored one notifies no observer, without isEqual too`()
    {
        let key = Defaults.NSSecureCodingKey<Bag>("bag", default: Bag([:]), suite: suite)
        func bag(_ count: Int) -> Bag { Bag(["a": NSNumber(value: count), "b": NSSet(array: [1, 2, 3])]) }
        let heard = Recorder<Int>()
        let observation = Defaults.observe(key, options: []) { heard.append($0.newValue.contents.count) }
        Defaults[key] = bag(1)
        Defaults[key] = bag(1)
        Defaults[key] = bag(2)
        #expect(heard.all == [2, 2])
        observation.invalidate()
    }

    @Test func `objects of Foundation come back too`() throws {
        let uuid = NSUUID()
        let id = Defaults.NSSecureCodingKey<NSUUID>("id", default: NSUUID(), suite: suite)
        try suite.set(id, to: uuid)
        #expect(try suite.value(id) == uuid)
        let url = Defaults.NSSecureCodingOptionalKey<NSURL>("url", suite: suite)
        try suite.set(url, to: NSURL(string: "https://example.com/a"))
        #expect(try suite.value(url) == NSURL(string: "https://example.com/a"))
    }

    @Test func `objects inside objects come back`() throws {
        let key = Defaults.NSSecureCodingOptionalKey<Line>("line", suite: suite)
        let line = Line(Point(1, 2), Point(3, 4), "a line")
        try suite.set(key, to: line)
        #expect(try suite.value(key) == line)
    }

    @Test func `a subclass is an object of its class too`() throws {
        try suite.set(point, to: NamedPoint(1, 2, "home"))
        #expect((try suite.value(point) as? NamedPoint)?.label == "home")
    }

    @Test func `a class that is Codable too is no ambiguity, and is stored as JSON unless told otherwise`()
        throws
    {
        let plain = Defaults.Key<Both>("plain", default: Both(1), suite: suite)
        let named = Defaults.NSSecureCodingKey<Both>("named", default: Both(1), suite: suite)
        let maybe = Defaults.NSSecureCodingOptionalKey<Both>("maybe", suite: suite)
        let archived = Defaults.Key<Both>("archived", default: Both(1), suite: suite, codec: .secureCoding())
        for key in [plain, named, archived] { try suite.set(key, to: Both(7)) }
        try suite.set(maybe, to: Both(7))
        for key in [plain, named, archived] { #expect(try suite.value(key) == Both(7)) }
        #expect(try suite.value(maybe) == Both(7))
        #expect(suite.value(forKey: "named") == ["number": 7])
        #expect(suite.value(forKey: "archived")?.string != nil)
    }

    @Test func `a stored object of another class is an error and never a trap`() throws {
        let line = Defaults.NSSecureCodingOptionalKey<Line>("point", suite: suite)
        Defaults[point] = Point(3, 4)
        #expect(Defaults[line] == nil)
        let error = #expect(throws: DefaultsError.self) { try suite.value(line) }
        #expect(error?.code == .typeMismatch)
        #expect(error?.underlyingDescription?.contains("Point") == true)
        #expect(Defaults[point] == Point(3, 4))
    }

    @Test func `a stored object whose class is gone is an error`() throws {
        Defaults[point] = Point(3, 4)
        let archive = try #require(suite.value(forKey: "point")?.string.flatMap { Data(base64Encoded: $0) })
        let other = archive.replacingName("Point", with: "Paint")
        try suite.setUnchecked(.string(other.base64EncodedString()), forKey: "point")
        #expect(Defaults[point] == Point(1, 2))
        let error = #expect(throws: DefaultsError.self) { try suite.value(point) }
        #expect(error?.underlyingDescription?.hasSuffix("Paint, which is not there") == true)
    }

    @Test func `an object inside that has another class than expected is an error or nil, never a trap`()
        throws
    {
        let odd = OddLine(Point(1, 2))
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        NSKeyedArchiver.setClassName(NSStringFromClass(Line.self), for: OddLine.self)
        defer { NSKeyedArchiver.setClassName(nil, for: OddLine.self) }
        archiver.encode(odd, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        try suite.set(.string(archiver.encodedData.base64EncodedString()), forKey: "line")
        let key = Defaults.NSSecureCodingOptionalKey<Line>("line", suite: suite)
        #expect(throws: DefaultsError.self) { try suite.value(key) }
    }

    @Test(arguments: ["", "AAAA", "not base64", "YnBsaXN0MDA="] as [DefaultsValue])
    func `a text that is no archive is an error`(text: DefaultsValue) throws {
        try suite.setUnchecked(text, forKey: "point")
        #expect(throws: DefaultsError.self) { try suite.value(point) }
        #expect(Defaults[point] == Point(1, 2))
        #expect(failures.codes == [.typeMismatch])
    }

    @Test(arguments: [1, true, nil, [], [:]] as [DefaultsValue])
    func `a value of another kind is an error`(value: DefaultsValue) throws {
        try suite.setUnchecked(value, forKey: "point")
        #expect(throws: DefaultsError.self) { try suite.value(point) }
    }

    @Test func `an archive cut short or with a byte changed is read or refused, and nothing else`() throws {
        Defaults[point] = Point(3, 4)
        let archive = try #require(suite.value(forKey: "point")?.string.flatMap { Data(base64Encoded: $0) })
        let codec = DefaultsCodec<Point>.secureCoding()
        var refused = 0
        for place in archive.indices {
            for damaged in [archive[..<place], archive.changing(place, 0x01), archive.changing(place, 0xF0)] {
                let text = Array("\"\(damaged.base64EncodedString())\"".utf8)
                do { _ = try codec.decode(text) } catch { refused += 1 }
            }
        }
        #expect(refused > archive.count)
    }

    @Test func `objects that hold one another in a ring are refused both ways`() throws {
        let key = Defaults.NSSecureCodingOptionalKey<Ring>("ring", suite: suite)
        let ring = Ring()
        ring.next = ring
        defer { ring.next = nil }
        let error = #expect(throws: DefaultsError.self) { try suite.set(key, to: ring) }
        #expect(error?.code == .encodingFailed)
        #expect(!Defaults.isSet(key))

        let archive = ArchiveSample.base64([
            ArchiveSample.object(of: 2, [("next", .object(1)), ("other", .object(0))]),
            ArchiveSample.type(NSStringFromClass(Ring.self)),
        ])
        try suite.setUnchecked(.string(archive), forKey: "ring")
        let refusal = #expect(throws: DefaultsError.self) { try suite.value(key) }
        #expect(refusal?.underlyingDescription?.contains("in a ring") == true)
    }

    @Test func `a class that no archive can name is an error and never a trap`() throws {
        let key = Defaults.NSSecureCodingOptionalKey<Outer.Inner>("inner", suite: suite)
        let error = #expect(throws: DefaultsError.self) { try suite.set(key, to: Outer.Inner()) }
        #expect(error?.code == .encodingFailed)
        #expect(error?.underlyingDescription?.contains("stands inside another type") == true)
    }

    @Test func `a private class is refused, and the reason says what to do`() throws {
        let key = Defaults.NSSecureCodingOptionalKey<Hidden>("hidden", suite: suite)
        let error = #expect(throws: DefaultsError.self) { try suite.set(key, to: Hidden()) }
        #expect(error?.underlyingDescription?.contains("is private") == true)
        #expect(error?.underlyingDescription?.contains("make it internal") == true)
    }

    @Test func `an object inside that does not support secure coding is an error`() throws {
        let key = Defaults.NSSecureCodingOptionalKey<Ring>("ring", suite: suite)
        let ring = Ring()
        ring.other = Insecure()
        let error = #expect(throws: DefaultsError.self) { try suite.set(key, to: ring) }
        #expect(error?.underlyingDescription?.contains("does not support secure coding") == true)
    }
}

/// A class that no other file can name, nor an archive.
private final class Hidden: NSObject, NSSecureCoding, Sendable {
    static var supportsSecureCoding: Bool { true }

    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
}
