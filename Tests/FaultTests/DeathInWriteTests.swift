/// A writer killed right before each system call of a write leaves the write whole or not at all.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread, .strace)
struct DeathInWriteTests {
    /// A way to write a number to the keys `a` and `b`, or to `a` alone.
    enum Write: String, CaseIterable {
        case set, transaction
        /// A set with a checkpoint after it.
        case save
        /// A set by a process that has waited for the disk, which makes a reserve.
        case durable

        func command(_ number: Int) -> String {
            switch self {
            case .transaction: "transact a \(number) b \(number)"
            case .save: "save a \(number)"
            case .set, .durable: "set a \(number)"
            }
        }

        func values(_ number: Int) -> [String: Int] {
            self == .transaction ? ["a": number, "b": number] : ["a": number]
        }

        /// The calls without which it would not be one.
        var calls: Set<String> {
            let always: Set = ["flock", "pwrite64"]
            let checkpoint: Set = [
                "unlinkat", "openat", "fchmod", "fsync", "fdatasync", "close", "linkat", "renameat2",
                "ftruncate",
            ]
            return self == .save ? always.union(checkpoint) : always
        }
    }

    /// What one kill left behind.
    private struct Round: Equatable {
        let call: Strace.Call
        let answers: [String]
        let exit: Peer.Exit
        let before: [String: Int]
        let whole: [String: Int]
        let inFile: [String: Int]

        /// A write that was not acknowledged may be there, but whole.
        var isRight: Bool {
            inFile == whole || (exit == .signal(9) && answers.isEmpty && inFile == before)
        }
    }

    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
    }

    @Test(arguments: Write.allCases)
    func `A killed writer leaves a whole file: all or nothing of a write at each call`(_ write: Write) throws
    {
        let heard = Recorder<[Int?]>()
        let observation = suite.observe(forKey: "a", options: [.old, .new]) {
            heard.append([$0.oldValue?.int, $0.newValue?.int])
        }
        let calls = try callsOfWrite(write)
        #expect(write.calls.subtracting(calls.map(\.name)) == [])
        // The generation, the record, the reserve.
        let writes = calls.count { $0.name == "pwrite64" }
        if write != .save { #expect(writes == (write == .durable ? 3 : 2)) }

        let rounds = try zip(calls, 2...).map { try killed(at: $0, writing: $1, write) }
        #expect(rounds.filter { !$0.isRight } == [])
        // Who waits for the lock makes more calls than the one who was traced, or fewer: not every kill is reached.
        #expect(rounds.filter { $0.exit == .signal(9) }.count * 4 >= rounds.count * 3)

        try suite.set(-1, forKey: "a")
        #expect(heard.wait { $0.last?.last == -1 })
        let events = heard.all
        let (olds, news) = (events.map(\.first), events.map(\.last))
        #expect(Array(olds.dropFirst()) == Array(news.dropLast()), "each event goes on from the one before")
        let numbers = news.dropLast().map { ($0 ?? nil) ?? 0 }
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
        observation.invalidate()
    }

    /// The calls of a write by a process that has written before, which writes 1.
    private func callsOfWrite(_ write: Write) throws -> [Strace.Call] {
        let peer = try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints")
        try peer.ask(write.command(0))
        if write == .durable { try peer.ask("synchronize") }
        _ = try folder.numbers()
        // Not the mode of a new file, which so has to be given it.
        if write == .save { #expect(chmod(folder.settingsPath(), 0o640) == 0) }
        let strace = try Strace(peer)
        #expect(try peer.ask(write.command(1)) == "ok")
        return try strace.calls()
    }

    /// Has a fresh process write, so that all is known to be well, and kills it in its next write.
    private func killed(at call: Strace.Call, writing number: Int, _ write: Write) throws -> Round {
        let peer = try freshPeer(writing: number, for: write)
        let before = try folder.numbers()
        let strace = try Strace(peer, "\(call.name):signal=KILL:when=\(call.occurrence)")
        defer { strace.finish() }
        let answers = try peer.answers(to: [write.command(number)])
        return Round(
            call: call, answers: answers, exit: try peer.close(), before: before,
            whole: before.merging(write.values(number)) { _, new in new }, inFile: try folder.numbers())
    }

    /// A process that finds what is in the file, and no lock.
    private func freshPeer(writing number: Int, for write: Write) throws -> Peer {
        // Or the file may follow meanwhile, on a thread that is not traced.
        let peer = try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints")
        let said = try ["get a", "set fresh \(number)"].map { try peer.ask($0) }
        if write == .durable { #expect(try peer.ask("synchronize") == "ok") }
        // A lock that is left would be waited for until the answer is an error.
        #expect(try said == [folder.numbers()["a"].map(String.init) ?? "none", "ok"])
        #expect(try folder.numbers()["fresh"] == number)
        return peer
    }
}
