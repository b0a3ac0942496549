/// A process killed at any call of a checkpoint that keeps a version, or of an undo, costs at most the version.
import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread, .strace)
struct DeathInVersionTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        try suite.keepHistory(.versions(4))
    }

    private func freshPeer() throws -> Peer {
        // Or the file may follow meanwhile, on a thread that is not traced.
        try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints")
    }

    /// Every call of a command, or each fourth where not all is tried.
    private func calls(of command: String, after first: String) throws -> [Strace.Call] {
        let peer = try freshPeer()
        try peer.ask(first)
        let strace = try Strace(peer)
        _ = try peer.ask(command)
        let calls = try strace.calls()
        let step = Soak.isWhole ? 1 : 4
        return calls.enumerated().filter { $0.offset % step == 0 }.map(\.element)
    }

    /// Kills a fresh process at a call of a command.
    private func kill(at call: Strace.Call, in command: String) throws -> Peer.Exit {
        let peer = try freshPeer()
        try peer.expectOK("set fresh \(call.occurrence)")
        let strace = try Strace(peer, "\(call.name):signal=KILL:when=\(call.occurrence)")
        defer { strace.finish() }
        _ = try peer.answers(to: [command])
        return try peer.close()
    }

    /// Reads every version, as somebody else's reader of JSON.
    private func checkVersions() throws {
        for version in try suite.history() {
            let bytes = try Data(contentsOf: URL(filePath: version.path))
            #expect(try JSONSerialization.jsonObject(with: bytes) is [String: Any])
        }
    }

    @Test func `A killed process costs at most its version, at each call of a checkpoint (F27)`() throws {
        let calls = try calls(of: "save a 1", after: "save a 0")
        #expect(calls.count >= (Soak.isWhole ? 30 : 8))
        var (killed, number) = (0, 1)
        for call in calls {
            number += 1
            if try kill(at: call, in: "save a \(number)") == .signal(9) { killed += 1 }
            let value = suite.value(forKey: "a")?.int
            #expect(value == number || value == number - 1)
            try checkVersions()
            number += 1
            try save(number)
            // A file that was being exchanged is taken back, and was none that has a version.
            let values = try suite.history(forKey: "a").prefix(2).map { $0.value?.int }
            #expect(values == [number, value] || values == [number, number - 2])
        }
        #expect(killed * 4 >= calls.count * 3)
    }

    @Test func `a killed undo is done or not, at each call, and goes on from there (F27)`() throws {
        try beginAnew()
        let calls = try calls(of: "undo a", after: "set fresh 0")
        #expect(calls.count >= (Soak.isWhole ? 30 : 8))
        var killed = 0
        for call in calls {
            try beginAnew()
            if try kill(at: call, in: "undo a") == .signal(9) { killed += 1 }
            let value = try #require(suite.value(forKey: "a")?.int)
            #expect(value == 3 || value == 2)
            try checkVersions()
            #expect(try suite.undo(forKey: "a"))
            #expect(suite.value(forKey: "a")?.int == value - 1)
            while try suite.redo(forKey: "a") {}
            #expect(suite.value(forKey: "a") == 3)
        }
        #expect(killed * 4 >= calls.count * 3)
    }

    /// Leaves the versions of 0 to 3, of which 3 is stored.
    private func beginAnew() throws {
        try suite.keepHistory(.off)
        try suite.keepHistory(.versions(50))
        for number in 0...3 { try save(number) }
    }

    private func save(_ number: Int) throws {
        try suite.set(.number(DefaultsNumber(number)), forKey: "a")
        try suite.checkpoint()
    }
}
