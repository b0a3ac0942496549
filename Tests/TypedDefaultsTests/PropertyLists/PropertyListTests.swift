/// What both forms of a property list have in common.
import Foundation
import TestSupport
import Testing
import TypedDefaultsCompatibility
@testable import TypedDefaults
@testable import TypedDefaultsPropertyLists

struct PropertyListTests {
    static let formats: [PropertyListSerialization.PropertyListFormat] = [.xml, .binary]

    @Test(arguments: formats)
    func `what Foundation writes is read as the same forms that keys have`(
        format: PropertyListSerialization.PropertyListFormat
    ) throws {
        let list: [String: Any] = [
            "text": "a <b> & \"c\" é 😀", "true": true, "false": false, "one": 1, "least": Int64.min,
            "most": UInt64.max, "real": 0.1, "date": Date(timeIntervalSince1970: 0),
            "data": Data([0, 1, 2, 255]), "list": [1, "two", [3]], "deep": ["a": ["b": "c"]],
            "none": [String](),
        ]
        let layer = try PropertyListValue.read(PropertyListSample.bytes(list, format)).layer()
        #expect(
            layer == [
                "text": "a <b> & \"c\" é 😀", "true": true, "false": false, "one": 1,
                "least": -9_223_372_036_854_775_808, "most": 18_446_744_073_709_551_615, "real": 0.1,
                "date": "1970-01-01T00:00:00Z", "data": "AAEC/w==", "list": [1, "two", [3]],
                "deep": ["a": ["b": "c"]], "none": [],
            ])
    }

    @Test(arguments: formats)
    func `dates and data are what keys of those types read`(
        format: PropertyListSerialization.PropertyListFormat
    ) async throws {
        let folder = try TemporaryFolder()
        let date = Date(timeIntervalSinceReferenceDate: 86_400)
        let data = Data(0...255)
        try Data(PropertyListSample.bytes(["date": date, "data": data], format))
            .write(to: URL(filePath: folder.path + "/a.plist"))
        let suite = DefaultsSuite.inMemory()
        try await suite.read(sources: PropertyListDefaultValueSource(path: folder.path + "/a.plist"))
        #expect(try suite.value(Defaults.Key<Date>("date", default: .distantPast, suite: suite)) == date)
        #expect(try suite.value(Defaults.Key<Data>("data", default: Data(), suite: suite)) == data)
    }

    @Test(arguments: formats)
    func `of two members of one name the last one applies`(
        format: PropertyListSerialization.PropertyListFormat
    ) throws {
        let bytes =
            format == .xml
            ? PropertyListSample.xml("<dict><key>a</key><integer>1</integer><key>a</key><true/></dict>")
            : PropertyListSample.binary([[0xD2, 1, 1, 2, 3], [0x51, 0x61], [0x10, 1], [0x09]])
        #expect(try PropertyListValue.read(bytes).layer() == ["a": true])
    }

    @Test(arguments: formats)
    func `no list that was cut short is read`(format: PropertyListSerialization.PropertyListFormat) throws {
        let whole = try PropertyListSample.bytes(["a": [1, 2], "b": Data([1]), "c": "text"], format)
        let end = format == .xml ? whole.count - 2 : whole.count - 1
        let read = (0...end).filter { count in
            do {
                _ = try PropertyListValue.read(Array(whole[..<count]))
                return true
            } catch {
                return false
            }
        }
        #expect(read == [])
    }

    @Test(arguments: formats)
    func `a list with one byte changed is read or refused, and nothing else`(
        format: PropertyListSerialization.PropertyListFormat
    ) throws {
        let whole = try PropertyListSample.bytes(
            ["a": [1, 2.5, true], "b": Data([1]), "c": "text é", "d": Date(timeIntervalSince1970: 1)], format)
        var refused = 0
        for place in whole.indices {
            for change: UInt8 in [0x01, 0x0F, 0x80, 0xFF] {
                var damaged = whole
                damaged[place] ^= change
                do { _ = try PropertyListValue.read(damaged).layer() } catch { refused += 1 }
            }
        }
        #expect(refused > whole.count)
    }

    @Test(arguments: formats)
    func `the text that stands for nil inside a list is null, outside it a text`(
        format: PropertyListSerialization.PropertyListFormat
    ) throws {
        let bytes = try PropertyListSample.bytes(["a": [1, "$null"], "b": "$null", "c": "$nul"], format)
        #expect(try PropertyListValue.read(bytes).layer() == ["a": [1, .null], "b": .null, "c": "$nul"])
        #expect(try PropertyListValue.string("$null").defaultsValue() == "$null")
    }

    @Test(arguments: formats)
    func `what PropertyListEncoder writes for decimals and for nil is what keys of those types read`(
        format: PropertyListSerialization.PropertyListFormat
    ) async throws {
        struct Whole: Codable, Sendable {
            var least: Decimal, price: Decimal, none: Decimal, list: [Int?]
        }
        let whole = Whole(
            least: -Decimal.greatestFiniteMagnitude, price: try #require(Decimal(string: "1.250")),
            none: .nan,
            list: [1, nil])
        let folder = try TemporaryFolder()
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        try encoder.encode(whole).write(to: URL(filePath: folder.path + "/a.plist"))
        let suite = DefaultsSuite.inMemory()
        try await suite.read(sources: PropertyListDefaultValueSource(path: folder.path + "/a.plist"))
        func value(_ name: String) throws -> Decimal? {
            try suite.value(Defaults.OptionalKey<Decimal>(name, suite: suite))
        }
        #expect(try value("least") == whole.least)
        #expect(try value("price") == whole.price)
        #expect(try value("none")?.isNaN == true)
        #expect(try suite.value(Defaults.Key<[Int?]>("list", default: [], suite: suite)) == [1, nil])
    }

    @Test func `a list of no known form is refused`() {
        #expect(throws: PropertyListFault("it is neither an XML nor a binary property list", at: 0, in: [])) {
            try PropertyListValue.read(Array("{ a = 1; }".utf8))
        }
    }

    @Test func `a keyed archive's references are read and refused as settings`() throws {
        let list = try PropertyListValue.read(
            PropertyListSample.binary([[0xD1, 1, 2], [0x51, 0x61], [0x80, 7]]))
        #expect(list["a"] == .reference(7))
        #expect(
            throws: PropertyListFault("it holds a reference of a keyed archive, which is no setting")
        ) { try list.layer() }
    }

    @Test func `a list that is no dictionary is no layer`() {
        #expect(throws: PropertyListFault("the outermost value is no dictionary")) {
            try PropertyListValue.read(PropertyListSample.xml("<array/>")).layer()
        }
    }

    @Test(arguments: [(0.0 / 0.0, "NaN"), (1.0 / 0.0, "Infinity"), (-1.0 / 0.0, "-Infinity")])
    func `a number that is not finite has the name the codec gives it`(real: Double, name: String) throws {
        #expect(try PropertyListValue.real(real).defaultsValue() == .string(name))
    }
}
