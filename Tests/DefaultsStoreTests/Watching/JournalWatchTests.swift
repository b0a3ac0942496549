/// Where the bell cannot be heard, observers hear of other processes' records by a watch of the journal: of the one that is in
/// place, whoever put it there.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct JournalWatchTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        try suite.context.store().latest.files?.bell.refuse()
    }

    private var journal: String { "\(folder.path)/settings/.settings.json.journal" }

    /// Whether the journal that is in place comes to be watched, while another process keeps everybody from a checkpoint,
    /// after which it would be in any case.
    private func isWatched(after body: () throws -> Void) throws -> Bool {
        let peer = try Peer.opening(in: folder)
        let observation = suite.observe(forKey: "a") { _ in }
        defer { observation.invalidate() }
        try body()
        #expect(try peer.ask("begin") == "held")
        defer { #expect(throws: Never.self) { try peer.ask("release") } }
        return try eventually {
            guard let file = try suite.context.store().monitor.withWatchedJournal({ $0 }) else {
                return false
            }
            return file.isFile(of: try SystemCalls.inode(path: journal))
        }
    }

    @Test func `the journal that this process makes is watched`() throws {
        #expect(try isWatched { try suite.set(1, forKey: "a") })
    }

    @Test(arguments: ["set", "checkpoint"])
    func `the journal that this process puts in another one's place is watched`(_ call: String) throws {
        let header = JournalHeader(generation: 0)
        let change = StoredChange(StoredValue(1), forKey: KeyName("a"))
        let record = JournalRecord(generation: 1, changes: [change]).line(header.nonce)
        try folder.write(
            header.bytes + record + Array("a note\n".utf8), to: "settings/.settings.json.journal")
        let isWatched = try isWatched {
            if call == "set" { try suite.set(2, forKey: "a") } else { try suite.checkpoint() }
        }
        #expect(isWatched)
        #expect(try folder.names().contains { $0.contains("damaged") })
    }
}
