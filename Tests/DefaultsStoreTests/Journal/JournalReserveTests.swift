/// The zeros behind the last record that save the wait for the journal's length.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct JournalReserveTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        try suite.set(0, forKey: "first")
        try suite.synchronize()
    }

    private var journal: URL { URL(filePath: folder.path + "/settings/.settings.json.journal") }

    /// Runs a body until no checkpoint has come between: they come by themselves, and take the reserve away.
    ///
    /// - Parameter body: what it returns says whether the journal was as it had to be to begin with.
    private func untilUndisturbed(_ body: () throws -> Bool) throws {
        for _ in 0..<200 where try body() { return }
        Issue.record("a checkpoint came between each time")
    }

    /// Makes a reserve.
    ///
    /// - Returns: how long the journal is then, and where its records end; nil where a checkpoint came between.
    private func reserved() throws -> (size: Int, end: Int)? {
        try suite.checkpoint()
        try suite.set(.random, forKey: "number")
        return try lengths()
    }

    private func lengths() throws -> (size: Int, end: Int)? {
        let bytes = [UInt8](try Data(contentsOf: journal))
        let end = (bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        guard end > JournalHeader.length else { return nil }
        return (bytes.count, end)
    }

    @Test func `who has waited for the disk makes a reserve, and writes over it (F17)`() throws {
        try untilUndisturbed {
            guard let before = try reserved() else { return false }
            try suite.set("a text", forKey: "text")
            guard let after = try lengths(), after.end > before.end else { return false }
            #expect(before.size == 4_096)
            #expect(after.size == 4_096)
            return true
        }
        #expect(try suite.storedValues().keys.sorted() == ["first", "number", "text"])
    }

    @Test func `a suite that nobody waits for has none`() throws {
        let other = try folder.suite("other")
        try other.set(1, forKey: "a")
        let bytes = try folder.bytes(of: "other/.settings.json.journal")
        #expect(!bytes.contains(0))
    }

    @Test func `a checkpoint takes it away`() throws {
        for _ in 0..<3 { try suite.set(.random, forKey: "number") }
        try suite.checkpoint()
        #expect(try Data(contentsOf: journal).count == JournalHeader.length)
    }

    @Test func `a record that is longer than what is left has another one made`() throws {
        try untilUndisturbed {
            guard try reserved() != nil else { return false }
            let long = DefaultsValue(stringLiteral: String(repeating: "x", count: 5_000))
            try suite.set(long, forKey: "long")
            guard let after = try lengths(), after.end > 5_000 else { return false }
            #expect(after.size % 4_096 == 0)
            #expect(after.size - after.end >= 2_048)
            #expect(after.size - after.end <= Journal.greatestReserve)
            return true
        }
    }

    @Test func `nobody is told of it`() throws {
        try untilUndisturbed {
            guard try reserved() != nil else { return false }
            let findings = suite.inspectFiles().filter { !$0.reason.contains("not in the settings file yet") }
            #expect(findings.isEmpty)
            return try lengths() != nil
        }
    }

    @Test func `a line of somebody's own behind it is kept, and the records count (F3)`() throws {
        try untilUndisturbed {
            guard try reserved() != nil else { return false }
            let hand = try FileHandle(forUpdating: journal)
            try hand.seekToEnd()
            try hand.write(contentsOf: Data("a note\n".utf8))
            try hand.close()
            try suite.set(2, forKey: "b")
            return try !folder.damagedCopies().isEmpty
        }
        let kept = try #require(try folder.damagedCopies().last)
        #expect(try folder.bytes(of: "settings/" + kept).suffix(7) == Array("a note\n".utf8)[...])
        #expect(suite.value(forKey: "b") == 2)
    }

    /// Found by a load, which does not know how long the reserve was.
    @Test func `a line of somebody's own behind zeros is no torn one of ours (F3)`() throws {
        let other = try TemporaryFolder()
        let header = JournalHeader(generation: 0)
        let change = StoredChange(StoredValue(1), forKey: KeyName("a"))
        let record = JournalRecord(generation: 1, changes: [change]).line(header.nonce)
        let zeros = [UInt8](repeating: 0, count: 3_000)
        try other.write(
            header.bytes + record + zeros + Array("a note\n".utf8), to: "settings/.settings.json.journal")
        let suite = try other.suite()
        try suite.set(2, forKey: "b")
        #expect(try suite.storedValues() == ["a": 1, "b": 2])
        let kept = try #require(try other.damagedCopies().last)
        #expect(try other.bytes(of: "settings/" + kept).suffix(7) == Array("a note\n".utf8)[...])
    }

    /// What a power cut may make of a file: its length stays, and its bytes are gone.
    @Test func `a journal of nothing but zeros is none, though its reserve would be zeros too`() throws {
        try untilUndisturbed {
            guard let before = try reserved() else { return false }
            try Data(count: before.size - 1).write(to: journal)
            try suite.set(2, forKey: "b")
            return JournalHeader([UInt8](try Data(contentsOf: journal))) != nil
        }
        try suite.checkpoint()
        #expect(try folder.read("settings/settings.json").contains("\"b\": 2"))
    }

    /// The disk is full, or the process may make no file that long.
    @Test(arguments: [ENOSPC, EDQUOT, EFBIG]) func `where there is no room for it the set is done`(
        error: Int32
    )
        throws
    {
        try untilUndisturbed {
            try suite.checkpoint()
            // The generation, the record, the zeros.
            let plan = FaultInjection(FaultInjection.Rule("pwrite", at: 3, errno: error))
            try FaultInjection.$current.withValue(plan) { try suite.set(.random, forKey: "number") }
            guard let lengths = try lengths() else { return false }
            #expect(lengths.size == lengths.end)
            #expect(plan.calls.filter { $0 == "pwrite" }.count == 3)
            return true
        }
        #expect(try folder.damagedCopies().isEmpty)
    }
}
