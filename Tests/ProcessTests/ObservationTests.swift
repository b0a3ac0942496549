/// An observer hears what another process writes and what a person edits.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct ObservationTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let key: Defaults.Key<Int>
    private let heard = Recorder<Defaults.KeyChange<Int>>()

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        key = Defaults.Key<Int>("n", default: 0, suite: suite)
    }

    private func observe() -> DefaultsObservation {
        Defaults.observe(key, options: []) { [heard] in heard.append($0) }
    }

    private func told(_ change: Defaults.KeyChange<Int>) -> Told {
        Told(old: change.oldValue, new: change.newValue, cause: change.cause)
    }

    private struct Told: Hashable {
        let old: Int
        let new: Int
        let cause: DefaultsChange.Cause
    }

    @Test func `an observer hears another process's change with both values and its id`() throws {
        let peer = try Peer.opening(in: folder)
        let observation = observe()
        try peer.ask("set n 5")
        #expect(heard.wait(for: 1))
        #expect(heard.all.map(told) == [Told(old: 0, new: 5, cause: .otherProcess(peer.processID))])
        observation.invalidate()
    }

    /// The observer is told when the journal is made, and the record may come before it is watched.
    @Test func `an observer hears the first write of a suite before the file has followed`() throws {
        let (writer, observer) = (try Peer(), try Peer())
        for round in 0..<Soak.times(5) {
            let open = "open \(folder.path) first\(round)"
            #expect(try [writer, observer].map { try $0.ask(open) } == ["ok", "ok"])
            #expect(try writer.ask("leaveout scheduledCheckpoints") == "ok")
            #expect(try observer.ask("observe n") == "ok")
            #expect(try writer.ask("set n 1") == "ok")
            let heard = #"[[null, 1, "otherProcess \#(writer.processID)"]]"#
            #expect(try observer.ask("events 1") == heard)
        }
    }

    @Test func `a quiet write is heard by other processes alone`() throws {
        let peer = try Peer.opening(in: folder)
        try peer.ask("observe n")
        let observation = observe()
        Defaults.withoutPropagation { Defaults[key] = 1 }
        let own = ProcessInfo.processInfo.processIdentifier
        #expect(try peer.ask("events 1") == #"[[null, 1, "otherProcess \#(own)"]]"#)
        Defaults[key] = 2
        #expect(heard.all.map(told) == [Told(old: 0, new: 2, cause: .thisProcess)])
        #expect(try peer.ask("events 1") == #"[[1, 2, "otherProcess \#(own)"]]"#)
        observation.invalidate()
    }

    @Test func `a process hears its own change as its own, and this one's with this one's id`() throws {
        let peer = try Peer.opening(in: folder)
        try peer.ask("observe n")
        try peer.ask("set n 1")
        let own = try peer.ask("events 1")
        try suite.set(2, forKey: "n")
        #expect(own == #"[[null, 1, "thisProcess"]]"#)
        #expect(
            try peer.ask("events 1")
                == #"[[1, 2, "otherProcess \#(ProcessInfo.processInfo.processIdentifier)"]]"#)
    }

    @Test func `Observers see a chain: through 50 changes of two other processes`() throws {
        let peers = [try Peer.opening(in: folder), try Peer.opening(in: folder)]
        let observation = observe()
        for peer in peers { try peer.send("threads n modify 1 \(Soak.times(25))") }
        let last = Soak.times(50)
        #expect(heard.wait(within: .seconds(120)) { $0.last?.newValue == last })
        observation.invalidate()
        let all = heard.all
        #expect(all.map(\.oldValue) == [0] + all.dropLast().map(\.newValue))
        #expect(all.map(\.newValue) == all.map(\.newValue).sorted())
        let writers = Set(peers.map { DefaultsChange.Cause.otherProcess($0.processID) })
        #expect(Set(all.map(\.cause)).isSubset(of: writers))
        #expect(try peers.map { try $0.receive() } == ["ok", "ok"])
    }

    @Test func `Observers see a chain: of this process's and another's changes mixed`() throws {
        let peer = try Peer.opening(in: folder)
        let observation = observe()
        try peer.send("threads n modify 1 50")
        for _ in 0..<50 { Defaults[key] += 1 }
        #expect(heard.wait(within: .seconds(120)) { $0.last?.newValue == 100 })
        observation.invalidate()
        let all = heard.all
        #expect(all.map(\.oldValue) == [0] + all.dropLast().map(\.newValue))
        let own = all.filter { $0.cause == .thisProcess }
        #expect(own.map { $0.newValue - $0.oldValue } == Array(repeating: 1, count: 50))
        #expect(try peer.receive() == "ok")
    }

    @Test(arguments: HandEdit.allCases)
    private func `The file is yours: an edit by hand is heard with both values`(_ edit: HandEdit) throws {
        try suite.set(1, forKey: "n")
        try folder.awaitCheckpoint()
        let observation = observe()
        try edit.save(#"{ "n": 25 }"#, as: folder.settingsPath())
        #expect(heard.wait(for: 1))
        #expect(heard.all.map(told) == [Told(old: 1, new: 25, cause: .fileEdited)])
        observation.invalidate()
    }

    @Test(arguments: HandEdit.allCases)
    private func `The file is yours: a second edit of the same length is heard too`(_ edit: HandEdit) throws {
        try suite.set(1, forKey: "n")
        try folder.awaitCheckpoint()
        let observation = observe()
        try edit.save(#"{ "n": 25 }"#, as: folder.settingsPath())
        #expect(heard.wait(for: 1))
        try edit.save(#"{ "n": 26 }"#, as: folder.settingsPath())
        #expect(heard.wait(for: 2))
        let (first, second) = (
            Told(old: 1, new: 25, cause: .fileEdited), Told(old: 25, new: 26, cause: .fileEdited)
        )
        #expect(heard.all.map(told) == [first, second])
        observation.invalidate()
    }

    @Test(arguments: HandEdit.allCases)
    private func `The file is yours: an edit by hand is heard by another process`(_ edit: HandEdit) throws {
        let peer = try Peer.opening(in: folder)
        try peer.ask("set n 1")
        try folder.awaitCheckpoint()
        try peer.ask("observe n")
        try edit.save(#"{ "n": 25 }"#, as: folder.settingsPath())
        #expect(try peer.ask("events 1") == #"[[1, 25, "fileEdited"]]"#)
        #expect(try peer.ask("get n") == "25")
    }

    @Test func `an edit by hand that is seen at once with a process's write carries that process's id`()
        throws
    {
        let (writer, observer) = (try Peer.opening(in: folder), try Peer.opening(in: folder))
        try writer.expectOK("save n 1")
        try observer.expectOK("observe n")
        try writer.expectOK("set n 2")
        #expect(try observer.ask("events 1") == #"[[1, 2, "otherProcess \#(writer.processID)"]]"#)
        try folder.awaitCheckpoint()
        observer.stop()
        try folder.saveByRename(#"{ "n": 25 }"#)
        try writer.expectOK("set other 3")
        observer.resume()
        #expect(try observer.ask("events 1") == #"[[2, 25, "otherProcess \#(writer.processID)"]]"#)
    }
}

/// How an editor saves a file.
private enum HandEdit: CaseIterable {
    case renamed, inPlace

    func save(_ text: String, as path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path), options: self == .renamed ? .atomic : [])
    }
}
