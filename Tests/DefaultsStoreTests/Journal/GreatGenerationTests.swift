/// A journal with a generation that could not be counted up: it ends there, and ends no program.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct GreatGenerationTests {
    private let folder: TemporaryFolder
    private let journal = "settings/.settings.json.journal"

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("{\n  \"a\": 1\n}\n", to: "settings/settings.json")
    }

    private func record(_ generation: UInt64, _ value: DefaultsValue, behind header: JournalHeader) -> [UInt8]
    {
        JournalRecord(
            generation: generation, changes: [StoredChange(StoredValue(value), forKey: KeyName("b"))]
        ).line(header.nonce)
    }

    /// The bytes of the quarantined files.
    private func kept() throws -> [[UInt8]] {
        try folder.names().filter { $0.contains("damaged") }.map { try folder.bytes(of: "settings/" + $0) }
    }

    @Test(arguments: [LockFile.greatestGeneration + 1, .max - 1, .max])
    func `a header with a huge generation does not count, and the journal is kept (F6)`(generation: UInt64)
        throws
    {
        let header = JournalHeader(generation: generation)
        let bytes = header.bytes + record(5, 2, behind: header)
        try folder.write(bytes, to: journal)
        let suite = try folder.suite()
        #expect(try suite.storedValues() == ["a": 1])
        try suite.set(3, forKey: "b")
        try suite.checkpoint()
        #expect(try suite.storedValues() == ["a": 1, "b": 3])
        #expect(try kept() == [bytes])
    }

    @Test(arguments: [LockFile.greatestGeneration + 1, .max - 1, .max])
    func `a record with a huge generation ends the journal, and is kept (F6)`(generation: UInt64) throws {
        let header = JournalHeader(generation: 0)
        let bad = record(generation, 4, behind: header) + record(2, 5, behind: header)
        try folder.write(header.bytes + record(1, 2, behind: header), to: journal)
        let suite = try folder.suite()
        #expect(suite.value(forKey: "b") == 2)
        let hand = try FileHandle(forUpdating: URL(filePath: "\(folder.path)/\(journal)"))
        try hand.seekToEnd()
        try hand.write(contentsOf: Data(bad))
        try hand.close()
        #expect(suite.value(forKey: "b") == 2)
        try suite.set(6, forKey: "a")
        try suite.checkpoint()
        #expect(try suite.storedValues() == ["a": 6, "b": 2])
        #expect(try kept() == [bad])
    }

    @Test func `a journal at the greatest generation is read, and a write that nobody could read is refused`()
        throws
    {
        let header = JournalHeader(generation: LockFile.greatestGeneration - 1)
        try folder.write(header.bytes + record(.max / 2, 2, behind: header), to: journal)
        let suite = try folder.suite()
        suite.onFailure = { _ in }
        #expect(try suite.storedValues() == ["a": 1, "b": 2])
        let error = refusal { try suite.set(3, forKey: "b") }
        #expect(error?.code == .ioFailure)
        #expect(error?.description.contains("move both files away") == true)
        #expect(try suite.storedValues() == ["a": 1, "b": 2])
    }
}
