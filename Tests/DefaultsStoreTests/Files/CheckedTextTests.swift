/// What one opening of a large file leaves for the next: the note that its text need not be read to its end.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct CheckedTextTests {
    private let folder: TemporaryFolder
    private static let lock = "settings/.settings.json.lock"

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Self.text(), to: "settings/settings.json")
    }

    /// A thousand members of 24 bytes, of which one may have another value.
    private static func text(_ number: Int = 0, value: Int = 10_000) -> String {
        let lines = (0..<1_000).map { "  \"key-number-\($0 + 1_000)\": \($0 == number ? value : 10_000)" }
        return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
    }

    /// Opens the suite, reads a key, and says whether that was done without reading the text to its end.
    private func openAndRead(_ number: Int = 0) throws -> (value: DefaultsValue?, isSearched: Bool) {
        // What was opened before is closed, or it would be shared.
        #expect(try eventually { try folder.openDescriptors() == 0 })
        let suite = try folder.suite()
        let value = suite.value(forKey: "key-number-\(number + 1_000)")
        return (value, try suite.context.store().state().values.document.isUnread)
    }

    private func patch(_ bytes: [UInt8], at offset: UInt64) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: "\(folder.path)/\(Self.lock)"))
        try file.seek(toOffset: offset)
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    private func record() throws -> [UInt8] { Array(try folder.bytes(of: Self.lock)[64..<96]) }

    @Test func `a text is read to its end once, and searched by who opens it later`() throws {
        #expect(try openAndRead() == (10_000, false))
        #expect(try openAndRead(999) == (10_000, true))
    }

    @Test func `another process searches what this one has read, and finds the same`() throws {
        #expect(try openAndRead().isSearched == false)
        let peer = try Peer.opening(in: folder)
        #expect(try peer.ask("get key-number-1500") == "10000")
        #expect(try peer.ask("searched") == "true")
    }

    @Test func `one changed byte makes it another text, which is read to its end`() throws {
        #expect(try openAndRead().isSearched == false)
        try folder.write(Self.text(7, value: 10_001), to: "settings/settings.json")
        #expect(try openAndRead(7) == (10_001, false))
        #expect(try openAndRead(7) == (10_001, true))
    }

    @Test(arguments: [64, 75, 83, 95])
    func `a note that is damaged or half written counts for nothing`(place: Int) throws {
        #expect(try openAndRead().isSearched == false)
        let whole = try record()
        try patch([whole[place - 64] ^ 1], at: UInt64(place))
        #expect(try openAndRead(5) == (10_000, false))
        #expect(try record() == whole)
    }

    @Test func `the note of a newer format is neither believed nor changed`() throws {
        #expect(try openAndRead().isSearched == false)
        try patch([3, 0], at: 14)
        let whole = try record()
        #expect(try openAndRead(5) == (10_000, false))
        #expect(try record() == whole)
        try patch([UInt8](repeating: 0, count: 32), at: 64)
        #expect(try openAndRead(5) == (10_000, false))
        #expect(try record() == [UInt8](repeating: 0, count: 32))
    }

    @Test func `a checkpoint leaves the note of the text that it writes`() throws {
        #expect(try openAndRead().isSearched == false)
        try write { try $0.set(10_002, forKey: "key-number-1003") }
        #expect(try openAndRead(3) == (10_002, true))
    }

    @Test func `what is written behind a searched text changes its keys and no other`() throws {
        #expect(try openAndRead().isSearched == false)
        try write { suite in
            #expect(try suite.context.store().state().values.document.isUnread)
            try suite.withTransaction { tx in
                (tx[key: "key-number-1003"], tx[key: "key-number-1004"], tx[key: "new"]) = (3, nil, 1)
            }
        }
        var expected = (1_000..<2_000).reduce(into: [:]) { $0["key-number-\($1)"] = 10_000 }
        (expected["key-number-1003"], expected["key-number-1004"], expected["new"]) = (3, nil, 1)
        #expect(try folder.foreignReading() == expected as NSDictionary)
        #expect(try folder.suite().storedValues() == expected.mapValues { DefaultsValue($0) })
    }

    @Test func `a text with a key twice is read to its end by each, which tells of it`() throws {
        let text = Self.text().dropLast(3) + ",\n  \"key-number-1000\": 7\n}\n"
        try folder.write(String(text), to: "settings/settings.json")
        for _ in 0..<2 {
            let suite = try folder.suite()
            let failures = FailureRecorder(suite)
            #expect(suite.value(forKey: "key-number-1000") == 7)
            #expect(failures.codes == [.duplicateKey])
        }
        #expect(try record() == [UInt8](repeating: 0, count: 32))
    }

    @Test func `a damaged text is never noted, and told of at each opening`() throws {
        try folder.write(Self.text() + "x", to: "settings/settings.json")
        for _ in 0..<2 {
            let suite = try folder.suite()
            #expect(refusal { _ = try suite.storedValues() }?.code == .malformedFile)
        }
        #expect(try record() == [UInt8](repeating: 0, count: 32))
    }

    @Test func `of a small text there is no note`() throws {
        try folder.write("{\n  \"key-number-1000\": 1\n}\n", to: "settings/settings.json")
        #expect(try openAndRead() == (1, false))
        #expect(try record() == [UInt8](repeating: 0, count: 32))
    }

    /// Changes the suite and closes it, with all in its settings file.
    private func write(_ body: (DefaultsSuite) throws -> Void) throws {
        #expect(try eventually { try folder.openDescriptors() == 0 })
        let suite = try folder.suite()
        _ = suite.value(forKey: "key-number-1000")
        try body(suite)
        try suite.checkpoint()
    }
}
