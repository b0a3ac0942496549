/// The journal's first line: read back as written, refused when harmed.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct JournalHeaderTests {
    @Test(arguments: [0, 1, 0xFFFF, LockFile.greatestGeneration])
    func `a header is read back as it was written`(generation: UInt64) {
        let header = JournalHeader(generation: generation)
        #expect(JournalHeader(header.bytes) == header)
        #expect(header.generation == generation)
        #expect(header.bytes.count == JournalHeader.length)
    }

    @Test func `two headers of one generation have different nonces`() {
        #expect(JournalHeader(generation: 1).nonce != JournalHeader(generation: 1).nonce)
    }

    @Test func `a header with any bits of one byte flipped is refused (F6)`() {
        let bytes = JournalHeader(generation: 0xABCDEF).bytes
        for place in bytes.indices {
            for mask in UInt8(1)...255 {
                var harmed = bytes
                harmed[place] ^= mask
                #expect(JournalHeader(harmed) == nil, "byte \(place) with mask \(mask)")
            }
        }
    }

    @Test(arguments: [LockFile.greatestGeneration + 1, .max])
    func `a header with a generation that could not be counted up is refused (F6)`(generation: UInt64) {
        #expect(JournalHeader(JournalHeader(generation: generation).bytes) == nil)
    }

    @Test(arguments: 0..<JournalHeader.length)
    func `a header that is cut short is refused`(length: Int) {
        #expect(JournalHeader(Array(JournalHeader(generation: 7).bytes.prefix(length))) == nil)
    }

    @Test func `what stands behind the line does not matter`() {
        let header = JournalHeader(generation: 7)
        #expect(JournalHeader(header.bytes + [0, 1, 2]) == header)
    }

    @Test func `the journal on the disk names the generation of the lock file`() throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        for number in 1...3 { try suite.set(DefaultsValue(number), forKey: "a") }
        try suite.checkpoint()
        let header = try #require(JournalHeader(try folder.bytes(of: "settings/.settings.json.journal")))
        #expect(
            header.generation == LockPage(try folder.bytes(of: "settings/.settings.json.lock")).generation)
    }

    private static let harmed = ["", "nonsense", String(repeating: "\0", count: 4096)]

    @Test(arguments: harmed.map(Abridged.init))
    func `a journal that is harmed costs no value and is whole after the next write`(
        _ abridged: Abridged<String>
    ) throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        try suite.set(1, forKey: "a")
        try suite.checkpoint()
        try folder.write(Array(abridged.content.utf8), to: "settings/.settings.json.journal")
        #expect(try suite.storedValues() == ["a": 1])
        try suite.set(2, forKey: "a")
        #expect(try suite.storedValues() == ["a": 2])
        #expect(JournalHeader(try folder.bytes(of: "settings/.settings.json.journal")) != nil)
    }
}

@Suite(.ownThread) struct ChecksumTests {
    @Test(
        arguments: [
            ("123456789", 0xE306_9283), ("", 0), ("a", 0xC1D0_4330), ("abc", 0x364B_3FB7),
            ("\0\0\0\0", 0x4867_4BC7),
        ] as [(String, UInt32)])
    func `the checksum is CRC-32C`(text: String, sum: UInt32) {
        #expect(Checksum.crc32c(Array(text.utf8)) == sum)
        #expect(Checksum.crc32c(AnyCollection(text.utf8)) == sum, "of bytes that do not lie side by side")
    }
}
