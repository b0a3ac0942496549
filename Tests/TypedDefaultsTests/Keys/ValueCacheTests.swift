import DefaultsStore
import Foundation
import TestSupport
import Testing

@testable import TypedDefaults

/// What a key's slot takes a stored text for.
struct ValueCacheTests {
    private let light = "a light theme with a name that needs memory"
    private let night = "a night theme with a name that needs memory"

    private func kept(_ slot: borrowing ValueCache, _ text: String, at version: UInt64) -> String? {
        Array(text.utf8).withUnsafeBufferPointer { slot.keepPlain($0, at: version, FreshnessCell.never) }
    }

    /// Where the bytes of a text stand that is too long to stand in the value itself.
    private func place(_ text: String?) -> UInt? {
        var text = text
        return text?.withUTF8 { UInt(bitPattern: $0.baseAddress) }
    }

    @Test func `a text that comes again is not made anew, and another one is`() {
        let slot = ValueCache()
        let first = kept(slot, "\"\(light)\"", at: 1)
        let again = kept(slot, "\"\(light)\"", at: 2)
        let other = kept(slot, "\"\(night)\"", at: 3)
        let third = kept(slot, "\"\(light)\"", at: 4)
        #expect([first, again, other, third] == [light, light, night, light])
        #expect(place(first) == place(again))
        #expect(place(first) != place(third))
    }

    @Test func `a text of an earlier version is given and not kept`() {
        let slot = ValueCache()
        let later = kept(slot, "\"\(light)\"", at: 5)
        #expect(kept(slot, "\"\(night)\"", at: 4) == night)
        #expect(kept(slot, "\"\(night)\"", at: 5) == night)
        #expect(place(kept(slot, "\"\(light)\"", at: 6)) == place(later))
    }

    @Test func `escaped bytes are not taken for the text that has them as they are`() {
        let slot = ValueCache()
        slot.keep(#"a\nb"#, at: 1, FreshnessCell.never)
        #expect(kept(slot, #""a\nb""#, at: 2) == nil)
        #expect(kept(slot, #""a\nb""#, at: 3) == nil)
    }

    @Test func `what is no text, or no UTF-8, is left to the general coder`() {
        let slot = ValueCache()
        #expect(kept(slot, "1", at: 1) == nil)
        #expect(kept(slot, "\"", at: 2) == nil)
        let bytes: [UInt8] = [0x22, 0xFF, 0x22]
        #expect(bytes.withUnsafeBufferPointer { slot.keepPlain($0, at: 3, FreshnessCell.never) } == nil)
        #expect(kept(slot, "\"\(light)\"", at: 4) == light)
    }

    @Test func `a lock file that makes the present version nothing gives no value, and ends no program`()
        throws
    {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        try suite.set(1, forKey: "other")
        suite.onFailure = { _ in }
        let number = Defaults.Key<Int>("number", default: 42, suite: suite)
        let list = Defaults.Key<[String]>("list", default: ["one"], suite: suite)
        let text = Defaults.Key<String>("text", default: "some text or other", suite: suite)
        let observation = suite.observe(number, options: []) { _ in }
        defer { observation.invalidate() }
        #expect(Defaults[number] == 42 && Defaults[list] == ["one"] && Defaults[text] == "some text or other")
        let path = "\(folder.path)/settings/.settings.json.lock"
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        defer { file.closeFile() }
        var isNothing = false
        // What the kernel tells of meanwhile may raise the other part of the sum.
        for _ in 0..<1_000 where !isNothing {
            try file.seek(toOffset: 0)
            let bytes = try file.read(upToCount: 8) ?? Data()
            let generation = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let epoch = list.slot.version &- generation
            try file.seek(toOffset: 0)
            try file.write(contentsOf: withUnsafeBytes(of: (0 &- epoch).littleEndian) { Data($0) })
            isNothing = list.slot.version == 0
        }
        #expect(isNothing)
        #expect(Defaults[number] == 42 && Defaults[list] == ["one"] && Defaults[text] == "some text or other")
        #expect(suite[number] == 42 && suite[list] == ["one"])
    }

    @Test func `what is missing at no version is not missing at version 0`() {
        let slot = ValueCache()
        let isMissing = slot.isMissing(at: 0)
        #expect(!isMissing)
    }
}
