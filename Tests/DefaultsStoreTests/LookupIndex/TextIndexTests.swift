@testable import DefaultsStore
import Testing

/// The pages that say where each key of a text stands.
struct TextIndexTests {
    private static let series: UInt64 = 0x0123_4567_89AB_CDEF

    private struct Index {
        let count: Int
        let bytes: [UInt8]

        /// Nil where the text can have none.
        init?(_ document: SettingsDocument) {
            guard let count = TextIndex.pageCount(of: document),
                let words = TextIndex.pages(of: document, count: count, series: series)
            else { return nil }
            self.count = count
            bytes = words.withUnsafeBytes(Array.init)
        }

        func page(_ number: Int) -> [UInt8] {
            Array(bytes[number * TextIndex.pageSize..<(number + 1) * TextIndex.pageSize])
        }

        func places(of name: String) -> [Int]? {
            guard let wanted = TextIndex.Wanted(Array(name.utf8)) else { return nil }
            let number = wanted.page(among: count)
            return wanted.places(in: page(number), number: number, of: count, series: series)
        }
    }

    private func document(_ text: String) -> SettingsDocument {
        SettingsDocument.read(Array(text.utf8)).document
    }

    private func document(ofKeys count: Int, _ name: (Int) -> String = { "key\($0)" }) -> SettingsDocument {
        document("{" + (0..<count).map { "\"\(name($0))\":\($0)" }.joined(separator: ",") + "}")
    }

    @Test func `a text's index is the same in every process and release`() throws {
        // Whoever changes it has to change what the series begins with, or an index of before would be taken for one.
        let index = try #require(Index(document("{\"a\": 1, \"a longer name than sixteen bytes\": 2}")))
        let print = TextFingerprint(of: index.bytes)
        #expect(
            [print.length, print.one, print.other] == [
                4_096, 13_501_034_448_106_668_631, 14_889_843_253_289_725_589,
            ])
    }

    @Test(arguments: [1, 2, 383, 384, 385, 10_000])
    func `each key is found where it stands, and no other is`(count: Int) throws {
        let document = document(ofKeys: count)
        let index = try #require(Index(document))
        #expect(index.bytes.count == index.count * TextIndex.pageSize)
        for member in document.members {
            #expect(index.places(of: member.key.string)?.contains(member.start) == true)
        }
        // One in four thousand millions has another's hash.
        for absent in 0..<1_000 { #expect(index.places(of: "absent\(absent)") == []) }
    }

    @Test func `names of every length, and those that differ in one byte, are told apart`() throws {
        let lengths = (0...70).map { String(repeating: "a", count: $0) }
        let variants = (0..<40).map { place in
            String((0..<40).map { $0 == place ? "b" : "a" })
        }
        let zeros = (1...20).map { "é" + String(repeating: "\u{7F}", count: $0) }
        let names = lengths + variants + zeros
        let document = document(ofKeys: names.count) { names[$0] }
        let index = try #require(Index(document))
        for (name, member) in zip(names, document.members) {
            #expect(index.places(of: name) == [member.start])
        }
    }

    @Test(arguments: [
        "", "{}", "{\n}", "{\"a\": 1", "{\"a\": 1, \"a\": 2}", "{\"\\u0061\": 1}", "{\"a\\\"b\": 1}", "[1]",
    ])
    func `a text of which a place says too little has no index`(text: String) {
        #expect(Index(document(text)) == nil)
    }

    @Test(arguments: ["a\"b", "a\\b", "a\nb", "\u{1}"])
    func `a name that is written with an escape is not looked for`(name: String) {
        #expect(TextIndex.Wanted(Array(name.utf8)) == nil)
    }

    @Test func `a page with any byte changed counts for nothing`() throws {
        let index = try #require(Index(document(ofKeys: 3)))
        let wanted = try #require(TextIndex.Wanted(Array("key1".utf8)))
        let whole = index.page(0)
        #expect(wanted.places(in: whole, number: 0, of: 1, series: Self.series)?.count == 1)
        for place in whole.indices {
            var page = whole
            page[place] ^= 1 << UInt8(place % 8)
            #expect(wanted.places(in: page, number: 0, of: 1, series: Self.series) == nil)
        }
        for length in [0, 1, 4_095] {
            #expect(
                wanted.places(in: Array(whole.prefix(length)), number: 0, of: 1, series: Self.series) == nil)
        }
    }

    @Test func `a page of another version or another place counts for nothing`() throws {
        let index = try #require(Index(document(ofKeys: 1_000)))
        let wanted = try #require(TextIndex.Wanted(Array("key1".utf8)))
        let number = wanted.page(among: index.count)
        func isFound(in page: Int, as number: Int, of count: Int, _ series: UInt64) -> Bool {
            wanted.places(in: index.page(page), number: number, of: count, series: series) != nil
        }
        #expect(isFound(in: number, as: number, of: index.count, Self.series))
        #expect(!isFound(in: number, as: number ^ 1, of: index.count, Self.series))
        #expect(!isFound(in: number ^ 1, as: number, of: index.count, Self.series))
        #expect(!isFound(in: number, as: number, of: index.count, Self.series ^ 1))
        // Among twice as many, the other half of its keys would be on another page.
        #expect(!isFound(in: number, as: number, of: index.count * 2, Self.series))
    }

    @Test func `keys that were made to share a page leave no index, and are not lost`() throws {
        // All of one page among four, and more of them than it holds.
        let names = (0...).lazy.map { "key\($0)" }.filter {
            TextIndex.Wanted(Array($0.utf8))?.page(among: 4) == 0
        }.prefix(1_100)
        let all = Array(names)
        #expect(Index(document(ofKeys: all.count) { all[$0] }) == nil)
        #expect(Index(document(ofKeys: 1_100)) != nil)
    }
}
