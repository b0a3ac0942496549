/// How far the lock file says that the journal is done.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct CheckpointMarkTests {
    private let header = JournalHeader(generation: 7)

    /// The lock file's bytes after a note.
    private func page(_ note: CheckpointMark) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let suite = try folder.heldSuite()
        try suite.set(1, forKey: "a")
        let store = try suite.context.store()
        let files = try #require(store.latest.files)
        switch try HeldWriterLock.acquire(files, until: .after(milliseconds: 5_000)) {
        case .some(let lock): try lock.record(note)
        case .none: Issue.record("the lock file was taken away")
        }
        return try folder.bytes(of: "settings/.settings.json.lock")
    }

    private func mark(_ page: [UInt8]) -> UInt64 {
        page.withUnsafeBytes { page in CheckpointMark.of(header) { page.word(at: $0) }.generation }
    }

    @Test func `a note of this journal counts, and of no other one, nor one that goes back (F18)`() throws {
        #expect(mark([UInt8](repeating: 0, count: MappedPage.size)) == 7)
        #expect(mark(try page(CheckpointMark(nonce: header.nonce, generation: 9, end: 200))) == 9)
        #expect(mark(try page(CheckpointMark(nonce: header.nonce, generation: 3, end: 200))) == 7)
        #expect(mark(try page(CheckpointMark(nonce: header.nonce &+ 1, generation: 9, end: 200))) == 7)
    }

    @Test func `a note with a generation that counting never reaches does not count (F18)`() throws {
        let greatest = LockFile.greatestGeneration
        #expect(
            mark(try page(CheckpointMark(nonce: header.nonce, generation: greatest, end: 200))) == greatest)
        for generation in [greatest + 1, .max] {
            #expect(
                mark(try page(CheckpointMark(nonce: header.nonce, generation: generation, end: 200))) == 7)
        }
    }

    @Test func `a note of which any byte is another one does not count (F18)`() throws {
        let whole = try page(CheckpointMark(nonce: header.nonce, generation: 9, end: 200))
        #expect(whole.count == MappedPage.size)
        for place in 136..<168 {
            for bit in 0..<8 {
                var torn = whole
                torn[place] ^= 1 << bit
                #expect(mark(torn) == 7)
            }
        }
        // It is all that was changed.
        let none = try page(CheckpointMark(nonce: 0, generation: 0, end: 0))
        #expect(Array(none[20..<136]) == Array(whole[20..<136]))
        #expect(Array(none[168...]) == Array(whole[168...]))
    }
}
