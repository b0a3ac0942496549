/// A process killed at any call of a checkpoint that keeps a version, of an undo, or of a start, costs at most that.
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

    /// Every so many-th call is tried, from a random one on; `TYPEDDEFAULTS_SOAK=4` has each tried.
    private static let step = max(1, 4 / Soak.factor)

    /// - Parameter least: how many calls the command makes at least.
    private func calls(of command: String, after first: String, least: Int) throws -> [Strace.Call] {
        let peer = try freshPeer()
        try peer.ask(first)
        let strace = try Strace(peer)
        _ = try peer.ask(command)
        let calls = try strace.calls()
        #expect(calls.count >= least)
        let start = Int.random(in: 0..<Self.step)
        return calls.enumerated().filter { $0.offset % Self.step == start }.map(\.element)
    }

    /// Kills a fresh process at a call of a command, which comes after another one.
    private func kill(
        at call: Strace.Call, in command: String, after first: String? = nil
    ) throws -> Peer.Exit {
        let peer = try freshPeer()
        _ = try peer.ask(first ?? "set fresh \(call.occurrence)")
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
        let calls = try calls(of: "save a 1", after: "save a 0", least: 30)
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
        let calls = try calls(of: "undo a", after: "set fresh 0", least: 30)
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

    @Test func `a killed start counts or not, at each call, and no settings change (F28)`() throws {
        try save(1)
        try suite.beginStart(safeAfter: 99).markHealthy()
        try kill(at: "beginstart 99 a", after: "get a", 2) { before, _ in
            [before, Starts(failed: before.failed + 1, good: before.good)]
        }
    }

    @Test func `the values of a killed start are the good ones or not, at each call (F28)`() throws {
        try save(1)
        try suite.beginStart(safeAfter: 99).markHealthy()
        try kill(at: "healthy", after: "beginstart 99 a", 2) { before, number in
            let failed = before.failed + 1
            return [
                Starts(failed: failed, good: before.good), Starts(failed: failed, good: number),
                Starts(failed: 0, good: number),
            ]
        }
    }

    /// What the files of starts say: how many have failed, and which value `a` had at the last healthy one.
    private struct Starts: Hashable {
        var failed = 0
        var good = 0
    }

    private func starts() throws -> Starts {
        func number(_ member: String, in name: String) throws -> Int? {
            let path = "settings/.settings.json.history/" + name
            guard FileManager.default.fileExists(atPath: "\(folder.path)/\(path)") else { return nil }
            let object = try JSONSerialization.jsonObject(with: Data(folder.read(path).utf8))
            return try #require((object as? [String: Any])?[member] as? Int)
        }
        return try Starts(
            failed: number("failed", in: "start.json") ?? 0, good: number("a", in: "good.json") ?? 0)
    }

    /// Kills a process at each call of a command, with another value of `a` each time.
    private func kill(
        at command: String, after first: String, _ start: Int, allowed: (Starts, Int) -> Set<Starts>
    ) throws {
        try save(start)
        let calls = try calls(of: command, after: first, least: 16)
        var killed = 0
        for (place, call) in calls.enumerated() {
            let number = start + 1 + place
            try save(number)
            let before = try starts()
            if try kill(at: call, in: command, after: first) == .signal(9) { killed += 1 }
            let after = try starts()
            #expect(allowed(before, number).contains(after), "\(call): \(before), \(after)")
            #expect(suite.value(forKey: "a")?.int == number)
        }
        #expect(killed * 4 >= calls.count * 3)
        Soak.note("\(command): \(killed) kills")
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
