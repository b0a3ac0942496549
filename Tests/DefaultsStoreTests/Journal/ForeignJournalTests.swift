/// A journal that somebody else wrote into is kept beside the settings file before it is replaced.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct ForeignJournalTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var journal: URL { URL(filePath: folder.path + "/settings/.settings.json.journal") }

    private func kept() throws -> [String] {
        try folder.names().filter { $0.hasPrefix("settings.json.damaged") }
            .map { try String(contentsOfFile: folder.path + "/settings/" + $0, encoding: .utf8) }
    }

    @Test func `what stands behind the records is kept, and the records count (F3)`() throws {
        let suite = try folder.suite()
        try suite.set(1, forKey: "a")
        let hand = try FileHandle(forUpdating: journal)
        try hand.seekToEnd()
        try hand.write(contentsOf: Data("a note\nof mine\n".utf8))
        try hand.close()
        try suite.set(2, forKey: "b")
        #expect(try suite.storedValues() == ["a": 1, "b": 2])
        let kept = try kept()
        #expect(kept.count == 1)
        #expect(kept.last?.hasSuffix("a note\nof mine\n") == true)
        #expect(try folder.foreignReading() == ["a": 1, "b": 2])
    }

    private func record(
        _ generation: UInt64, _ value: DefaultsValue, forKey key: String, _ nonce: UInt64
    ) -> [UInt8] {
        JournalRecord(
            generation: generation, changes: [StoredChange(StoredValue(value), forKey: KeyName(key))]
        )
        .line(nonce)
    }

    /// Opens a suite whose journal ends with some bytes behind its one record, and writes.
    private func write(behind tail: [UInt8], to folder: TemporaryFolder) throws {
        try folder.write("{\n  \"a\": 1\n}\n", to: "settings/settings.json")
        let header = JournalHeader(generation: 1)
        let bytes = header.bytes + record(2, 2, forKey: "b", header.nonce) + tail
        try folder.write(bytes, to: "settings/.settings.json.journal")
        let suite = try folder.suite()
        #expect(try suite.storedValues() == ["a": 1, "b": 2])
        try suite.set(3, forKey: "c")
        #expect(try suite.storedValues() == ["a": 1, "b": 2, "c": 3])
    }

    @Test(arguments: [
        "a note\n", "a note", "deadbeef note", "deadbeef\n", "\u{1F4DD}\n", "0123456789\n", "a note\0",
        "h\0i\0\n\0",
        // Torn, and a note behind it.
        "c0ffee12 0000000000000001 0000000000000003 {\"p\":1,\"s\":[\"da note\n",
    ])
    func `a line of somebody's own behind the records is kept too (F3)`(line: String) throws {
        try write(behind: Array(line.utf8), to: folder)
        #expect(try kept() == [line])
    }

    @Test func `a whole record that somebody has changed is kept (F3)`() throws {
        var line = record(3, "text", forKey: "d", 1)
        line[line.count - 5] ^= 1
        try write(behind: line, to: folder)
        #expect(try kept() == [String(decoding: line, as: UTF8.self)])
    }

    @Test func `what our own writers leave that die is nobody's, and not kept (F12)`() throws {
        let line = record(3, "text", forKey: "d", 1)
        // Cut short anywhere.
        var tails = stride(from: 1, to: line.count, by: 6).map { Array(line.prefix($0)) }
        // A power cut has made zeros of a part.
        tails += [[0, 0, 0] + line.dropFirst(3), line.dropLast(9) + [UInt8](repeating: 0, count: 9)]
        tails.append(line.prefix(50) + [0, 0, 0] + line.dropFirst(53))
        // A header was written, and the records before it not yet taken away.
        tails += [line, line + record(4, 1, forKey: "e", 1), line + line.prefix(20)]
        for tail in tails {
            let folder = try TemporaryFolder()
            try write(behind: tail, to: folder)
            #expect(try folder.names().filter { $0.contains("damaged") } == [])
        }
    }

    @Test(arguments: [
        String(repeating: "a diary is a journal too\n", count: 100), "hi\n", "hi", "TDJ1 is not all\n",
        "TDJ2 ", "h\0i\0",
    ])
    func `a file in the journal's place is kept whole, of whatever length (F3)`(text: String) throws {
        try folder.write(text, to: "settings/.settings.json.journal")
        let suite = try folder.suite()
        try suite.set(1, forKey: "a")
        #expect(try kept() == [text])
        #expect(try folder.foreignReading() == ["a": 1])
    }

    @Test func `a header cut short anywhere is nobody's, and not kept (F12)`() throws {
        let header = JournalHeader(generation: 1).bytes
        for length in stride(from: 0, to: header.count, by: 4) {
            let folder = try TemporaryFolder()
            try folder.write(Array(header.prefix(length)), to: "settings/.settings.json.journal")
            try folder.suite().set(1, forKey: "a")
            #expect(try folder.names().filter { $0.contains("damaged") } == [])
        }
    }

    @Test func `a copy that finds no room leaves no name behind, and the next write keeps the line (F3)`()
        throws
    {
        try write(behind: [], to: folder)
        let suite = try folder.suite()
        try suite.checkpoint()
        let hand = try FileHandle(forUpdating: journal)
        try hand.seekToEnd()
        try hand.write(contentsOf: Data("a note\n".utf8))
        try hand.close()
        _ = try suite.context.store().loader.reloadSilently()
        for _ in 0..<3 {
            FaultInjection.$current.withValue(FaultInjection(.init("pwrite", errno: ENOSPC))) {
                #expect(refusal { try suite.set(4, forKey: "d") }?.code == .diskFull)
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/settings")
            #expect(names.filter { $0.contains("damaged") } == [])
        }
        try suite.set(4, forKey: "d")
        #expect(try kept() == ["a note\n"])
    }

    @Test
    func `a journal that the kernel has refused to synchronize is kept where somebody wrote into it (F13)`()
        throws
    {
        let suite = try folder.heldSuite()
        try suite.set(1, forKey: "a")
        let hand = try FileHandle(forUpdating: journal)
        try hand.seekToEnd()
        try hand.write(contentsOf: Data("a note\n".utf8))
        try hand.close()
        FaultInjection.$current.withValue(FaultInjection(.init("fdatasync", errno: EIO))) {
            #expect(refusal { try suite.synchronize() }?.code == .ioFailure)
        }
        try suite.synchronize()
        // The folder is looked at when the file has followed.
        try suite.checkpoint()
        #expect(try kept().count == 1)
        #expect(try kept().last?.hasSuffix("a note\n") == true)
        #expect(try suite.storedValues() == ["a": 1])
    }
}
