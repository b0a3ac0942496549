/// Hostile keys and values at the limits.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct LimitTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
    }

    private static let strange = [
        "\"", "\\", "a\nb", "\0", "a\0b", "🦄", "__proto__", "a.b", "//", "/* */", "\u{2028}", " ", "{",
        "\u{7F}", "\r\n", String(repeating: "k", count: 65_536),
    ]

    @Test(arguments: strange.map(Abridged.init))
    func `a strange key is stored under exactly that name`(_ abridged: Abridged<String>) throws {
        let key = abridged.content
        try suite.set("value", forKey: key)
        try suite.set("other", forKey: "another")
        try suite.removeValue(forKey: "another")
        #expect(try suite.storedValues() == [key: "value"])
        #expect(try folder.foreignReading() == [key: "value"])
    }

    @Test(arguments: [0, 65_537])
    func `a key that is empty or over 64 KiB is refused and nothing is made`(length: Int) throws {
        let key = String(repeating: "k", count: length)
        #expect(refusal { try suite.set(1, forKey: key) }?.code == .invalidKey)
        #expect(refusal { try suite.removeValue(forKey: key) }?.code == .invalidKey)
        #expect(try folder.names(in: "") == [])
        #expect(suite.value(forKey: key) == nil)
    }

    @Test func `a value of 128 levels is stored and read back`() throws {
        try suite.set(nested(128), forKey: "a")
        #expect(try suite.storedValues()["a"] == nested(128))
    }

    @Test func `a value of 129 levels is refused and the old one stays`() throws {
        try suite.set("old", forKey: "a")
        #expect(refusal { try suite.set(nested(129), forKey: "a") }?.code == .valueTooLarge)
        #expect(suite.value(forKey: "a") == "old")
    }

    @Test func `a text of 16 MiB is stored, one byte more is refused and the old one stays`() throws {
        let longest = DefaultsValue.string(String(repeating: "x", count: (16 << 20) - 2))
        try suite.set(longest, forKey: "a")
        let refused = refusal {
            try suite.set(.string(String(repeating: "x", count: (16 << 20) - 1)), forKey: "a")
        }
        #expect(refused?.code == .valueTooLarge)
        #expect(refused?.key == "a")
        #expect(suite.value(forKey: "a") == longest)
    }

    @Test(.whole) func `a whole that would pass 64 MiB is refused and every value stays`() throws {
        let inMemory = DefaultsSuite.inMemory()
        let large = DefaultsValue.string(String(repeating: "x", count: (16 << 20) - 2))
        let keys = ["a", "b", "c", "d"]
        let refused = refusal {
            try inMemory.withTransaction { tx in for key in keys { tx[key: key] = large } }
        }
        #expect(refused?.code == .valueTooLarge)
        #expect(try inMemory.storedValues() == [:])
    }

    @Test
    func
        `in memory, the whole is measured once where replaced values add up to 64 MiB, and not from then on`()
        throws
    {
        let inMemory = DefaultsSuite.inMemory()
        let store = try inMemory.context.store()
        // Each set of so long a key may add six times its length.
        let key = String(repeating: "k", count: 65_536)
        var bounds: [Int] = []
        for round in 1...300 {
            try inMemory.set(DefaultsValue(round), forKey: key)
            bounds.append(try store.state().values.greatestSize)
        }
        #expect(zip(bounds, bounds.dropFirst()).count { $0 > $1 } == 1)
        #expect(bounds.allSatisfy { $0 <= SettingsFile.limit })
        #expect(inMemory.value(forKey: key) == 300)
    }

    @Test func `a file of over 64 MiB is refused unread and left as it is`() throws {
        try folder.write("{", to: "settings/settings.json")
        #expect(truncate(folder.settingsPath(), (64 << 20) + 1) == 0)
        let failures = FailureRecorder(suite)
        #expect(refusal { _ = try suite.storedValues() }?.code == .valueTooLarge)
        #expect(refusal { try suite.set(1, forKey: "a") }?.code == .valueTooLarge)
        #expect(suite.value(forKey: "a") == nil)
        #expect(failures.codes == [.valueTooLarge])
        #expect(try folder.names() == [".settings.json.lock", "settings.json"])
    }

    private func nested(_ levels: Int) -> DefaultsValue {
        (0..<levels).reduce(DefaultsValue(1)) { value, _ in .array([value]) }
    }
}
