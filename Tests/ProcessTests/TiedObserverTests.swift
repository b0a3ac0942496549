/// The end of an object that an observer is tied to: looked for while the process runs, and ever more rarely while it
/// sleeps.
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct TiedObserverTests {
    private let folder: TemporaryFolder
    private let peer: Peer

    init() throws {
        folder = try TemporaryFolder()
        peer = try Peer.opening(in: folder)
        #expect(try peer.ask("observetied n") == "ok")
    }

    /// How often the peer's threads have gone to sleep.
    private func sleeps() throws -> Int {
        let tasks = "/proc/\(peer.processID)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, task in
            let status = try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
        }
    }

    @Test func `a process that has nothing to do is woken ever more rarely`() throws {
        var (last, since) = (try sleeps(), ContinuousClock.now)
        // Six times as long as from one look to the next while it runs. To be looked at does not wake it.
        let isAsleep = try eventually {
            let present = try sleeps()
            if present != last { (last, since) = (present, .now) }
            return .now - since > .seconds(3)
        }
        #expect(isAsleep)
        #expect(try peer.ask("endowner") == "ok")
        // Seldom means up to a minute, which is longer than the peer waits for.
        #expect(try eventually { try peer.ask("events 1") == #"["released"]"# })
    }

    @Test(arguments: ["set n 1", "set m 1", "observe m", "observetied m"])
    func `an object's end is found soon after a long sleep once something happens`(_ event: String) throws {
        #expect(try peer.ask("slowdown") == "ok")
        #expect(try peer.ask("endowner") == "ok")
        #expect(try peer.ask(event) == "ok")
        // The next look would come in a minute, and the peer waits for no more than half of one.
        #expect(try peer.ask("events 1") == #"["released"]"#)
    }
}
