/// What `UserDefaults` and others keep as data, and addresses, as an import takes them.
import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsFoundation

@Suite(.ownThread, .timeLimit(.minutes(60))) struct ImportedFormTests {
    /// A setting that any text makes.
    struct Tag: RawRepresentable, Codable, Hashable, Sendable { var rawValue: String }

    private let suite = DefaultsSuite.inMemory()

    private func take(_ values: [String: Any]) throws -> DefaultsImport {
        let old = FixedDefaults()
        old.values = values
        return try suite.importValues(from: old, keys: values.keys.sorted())
    }

    private func archive(_ object: any NSObject & NSSecureCoding) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    @Test func `an address that UserDefaults has stored as a path is that file's`() throws {
        let file = Defaults.OptionalKey<URL>("file", suite: suite)
        let home = Defaults.Key<URL>("home", default: URL(filePath: "/"), suite: suite)
        #expect(try take(["file": "/nowhere/x y", "home": "~/Documents/x.txt"]).refused == [:])
        #expect(try suite.value(file)?.absoluteString == "file:///nowhere/x%20y")
        #expect(try suite.value(home).isFileURL)
        #expect(try suite.value(home).path == NSHomeDirectory() + "/Documents/x.txt")
    }

    @Test func `an object is taken for a dictionary whose keys are integers`() throws {
        let ports = Defaults.Key<[UInt32: String]>("ports", default: [:], suite: suite)
        #expect(try take(["ports": ["80": "http", "443": "https"]]).refused == [:])
        #expect(try suite.value(ports) == [80: "http", 443: "https"])
        #expect(try take(["ports": ["eighty": "http"]]).refused.count == 1)
        Defaults[ports][22] = "ssh"
        #expect(try suite.value(ports) == [80: "http", 443: "https", 22: "ssh"])
    }

    @Test func `an address in a text stays as it is`() throws {
        let whole = Defaults.OptionalKey<URL>("whole", suite: suite)
        let part = Defaults.OptionalKey<URL>("part", suite: suite)
        #expect(try take(["whole": "https://a/b?c", "part": "b/c"]).refused == [:])
        #expect(try suite.value(whole)?.absoluteString == "https://a/b?c")
        #expect(try suite.value(part)?.absoluteString == "b/c")
    }

    @Test func `an address that UserDefaults has archived is taken out of the archive`() throws {
        let address = Defaults.OptionalKey<URL>("address", suite: suite)
        let object = try #require(NSURL(string: "https://a.b/c?d"))
        #expect(try take(["address": try archive(object)]).refused == [:])
        #expect(try suite.value(address)?.absoluteString == "https://a.b/c?d")
    }

    @Test func `data that holds no address is refused for a key of an address`() throws {
        let keys = ["bytes", "date", "cut"].map { Defaults.OptionalKey<URL>($0, suite: suite) }
        let whole = try archive(try #require(NSURL(string: "https://a.b/s3cret")))
        let result = try take([
            "bytes": Data([0xFF, 1, 2]), "date": try archive(NSDate()), "cut": whole.prefix(whole.count / 2),
        ])
        #expect(result.refused.keys.sorted() == ["bytes", "cut", "date"])
        #expect(!result.refused.values.contains { $0.contains("s3cret") || $0.contains("/wEC") })
        #expect(try keys.map { try suite.value($0) } == [nil, nil, nil])
    }

    @Test func `data that spells nothing is no text`() throws {
        _ = Defaults.OptionalKey<String>("text", suite: suite)
        _ = Defaults.Key<Tag>("tag", default: Tag(rawValue: ""), suite: suite)
        #expect(
            try take(["text": Data([0xFF]), "tag": Data([0xFF])]).refused.keys.sorted() == ["tag", "text"])
        #expect(try suite.storedValues() == [:])
    }

    @Test func `an archived object is taken for a key of its class`() throws {
        let date = Defaults.NSSecureCodingOptionalKey<NSDate>("date", suite: suite)
        #expect(try take(["date": try archive(NSDate(timeIntervalSince1970: 5))]).refused == [:])
        #expect(try suite.value(date)?.timeIntervalSince1970 == 5)
    }

    @Test func `the JSON of data is that data, anything else the data it is`() throws {
        let keys = ["json", "none", "text", "number"].map { Defaults.OptionalKey<Data>($0, suite: suite) }
        let values = [
            "json": try JSONEncoder().encode(Data([1, 2, 3])), "none": try JSONEncoder().encode(Data()),
            "text": Data(#""a b""#.utf8), "number": Data("12".utf8),
        ]
        #expect(try take(values).refused == [:])
        #expect(
            try keys.map { try suite.value($0) } == [
                Data([1, 2, 3]), Data(), values["text"], values["number"],
            ])
    }
}
