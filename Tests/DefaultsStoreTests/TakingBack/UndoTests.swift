@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

/// Undo and redo of a key.
@Suite(.timeLimit(.minutes(60)), .ownThread)
struct UndoTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        suite.checkpointDelay = .seconds(3_600)
        try suite.keepHistory(.versions(50))
    }

    private func save(_ value: Int, forKey key: String = "n") throws {
        try suite.set(.number(DefaultsNumber(value)), forKey: key)
        try suite.checkpoint()
    }

    /// What is stored and a setting.
    private func settings() throws -> [String: DefaultsValue] {
        try suite.storedValues().filter { KeyName($0.key).isSetting }
    }

    private var value: Int? { suite.value(forKey: "n")?.int }

    @Test func `undo goes back value by value, and redo forward again`() throws {
        for number in 1...3 { try save(number) }
        var values: [Int?] = []
        while try suite.undo(forKey: "n") { values.append(value) }
        #expect(values == [2, 1, nil])
        #expect(try !suite.undo(forKey: "n"))
        values = []
        while try suite.redo(forKey: "n") { values.append(value) }
        #expect(values == [1, 2, 3])
        #expect(try !suite.redo(forKey: "n"))
        #expect(value == 3)
    }

    @Test func `what was not checkpointed yet comes back too`() throws {
        try save(1)
        try suite.set(2, forKey: "n")
        #expect(try suite.undo(forKey: "n"))
        #expect(value == 1)
        #expect(try suite.redo(forKey: "n"))
        #expect(value == 2)
    }

    @Test func `a value that is set ends redoing, and is undone first`() throws {
        for number in 1...3 { try save(number) }
        try suite.undo(forKey: "n")
        try suite.checkpoint()
        try save(7)
        #expect(try !suite.redo(forKey: "n"))
        #expect(value == 7)
        try suite.undo(forKey: "n")
        #expect(value == 2)
        try suite.redo(forKey: "n")
        #expect(value == 7)
    }

    @Test func `other keys stay as they are, and undo by themselves`() throws {
        for number in 1...3 { try save(number) }
        for number in 1...3 { try save(number * 10, forKey: "m") }
        try suite.undo(forKey: "n")
        try suite.undo(forKey: "m")
        try suite.undo(forKey: "n")
        #expect(try settings() == ["n": 1, "m": 20])
        try suite.redo(forKey: "m")
        try suite.redo(forKey: "n")
        #expect(try settings() == ["n": 2, "m": 30])
    }

    @Test func `a save by hand is undone and redone like any other`() throws {
        try save(1)
        try folder.saveByRename(try folder.foreignText().replacing(#""n": 1"#, with: #""n": 5"#))
        #expect(try suite.undo(forKey: "n"))
        #expect(value == 1)
        #expect(try suite.redo(forKey: "n"))
        #expect(value == 5)
    }

    @Test func `a key that was never stored has nothing to undo`() throws {
        try save(1)
        #expect(try !suite.undo(forKey: "m"))
        #expect(try !suite.redo(forKey: "m"))
        #expect(try !suite.redo(forKey: "n"))
        #expect(try settings() == ["n": 1])
    }

    @Test func `an observer is told, and removeAll can be undone`() throws {
        try save(1)
        let heard = Recorder<[Int?]>()
        let observation = suite.observe(forKey: "n", options: [.old, .new]) {
            heard.append([$0.oldValue?.int, $0.newValue?.int])
        }
        try suite.removeAll()
        try suite.undo(forKey: "n")
        #expect(heard.wait(for: 2))
        #expect(heard.all == [[1, nil], [nil, 1]])
        observation.invalidate()
    }

    @Test func `another process goes on from there, and a later one`() throws {
        for number in 1...4 { try save(number) }
        try suite.undo(forKey: "n")
        let peer = try Peer.opening(in: folder)
        #expect(try peer.ask("undo n") == "2")
        try peer.close()
        let next = try Peer.opening(in: folder)
        #expect(try next.ask("redo n") == "3")
        #expect(try next.ask("redo n") == "4")
        #expect(try next.ask("redo n") == "nothing")
        #expect(value == 4)
    }

    @Test func `of two processes that undo at once each takes a step of its own`() throws {
        for number in 1...13 { try save(number) }
        let peers = try [Peer.opening(in: folder), Peer.opening(in: folder)]
        for peer in peers { try peer.send("undo n 5") }
        let said = try peers.map { try $0.receive() }
        #expect(Set(said.flatMap { $0.split(separator: " ") }.compactMap { Int($0) }) == Set(3...12))
        #expect(value == 3)
        for peer in peers { try peer.send("redo n 5") }
        for peer in peers { _ = try peer.receive() }
        #expect(value == 13)
    }

    @Test func `a locked key is not undone, and the file stays as it is`() throws {
        try save(1)
        try save(2)
        let managed = folder.path + "/managed.json"
        try Data(#"{"n": 8}"#.utf8).write(to: URL(filePath: managed))
        #expect(chmod(managed, 0o600) == 0)
        try suite.setManagedFile(managed)
        #expect(refusal { try suite.undo(forKey: "n") }?.code == .locked)
        #expect(try settings() == ["n": 2])
        try suite.setManagedFile(nil)
        #expect(try suite.undo(forKey: "n"))
        #expect(value == 1)
    }

    @Test func `without a history nothing is undone, though there are versions yet`() throws {
        try save(1)
        try save(2)
        try suite.removeValue(forKey: "$history")
        try save(3)
        #expect(try !suite.undo(forKey: "n"))
        #expect(value == 3)
        #expect(try !suite.undo(forKey: "$history"))
    }

    @Test func `inside a transaction it is refused`() throws {
        try save(1)
        try suite.withTransaction { _ in
            #expect(refusal { try suite.undo(forKey: "n") }?.code == .lockTimeout)
        }
        #expect(value == 1)
    }

    @Test(arguments: ["", "{", "[]", #"{"n": ["x"]}"#, #"{"n": [1, 2, 3]}"#])
    func `a damaged note of what is undone costs the redo alone`(_ text: String) throws {
        for number in 1...3 { try save(number) }
        try suite.undo(forKey: "n")
        try folder.write(text, to: "settings/.settings.json.history/undone.json")
        #expect(try !suite.redo(forKey: "n"))
        #expect(try suite.undo(forKey: "n"))
        // The newest value is a version like the others.
        #expect(value == 3)
    }
}
