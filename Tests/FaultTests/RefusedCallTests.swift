/// The kernel refuses a call of a real write, once or until further notice.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread, .strace)
struct RefusedCallTests {
    /// One call of a write, or of a write with a checkpoint after it, and whether the value is stored all the same.
    struct Step: Sendable, CustomTestStringConvertible {
        let command: String
        let call: String
        let when: String
        let isStored: Bool
        var testDescription: String { "\(command): \(call) \(when)" }
    }

    /// What a refusal is called here, and what for us.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let name: String
        let answer: String
        var testDescription: String { name }
    }

    static let steps =
        ["1", "2", "1+", "2+"].map { Step(command: "set", call: "pwrite64", when: $0, isStored: false) }
        + [
            ("pwrite64", ["3", "4", "5", "3+"]), ("fsync", ["1", "2", "1+", "2+"]),
            ("fdatasync", ["1", "2", "1+"]), ("linkat", ["1"]), ("renameat2", ["1", "1+"]),
            ("ftruncate", ["1"]),
        ].flatMap { call, places in
            places.map { Step(command: "save", call: call, when: $0, isStored: true) }
        }

    static let refusals = [
        Refusal(name: "ENOSPC", answer: "error diskFull"), Refusal(name: "EDQUOT", answer: "error diskFull"),
        Refusal(name: "EIO", answer: "error ioFailure"),
    ]

    private let folder: TemporaryFolder
    private let writer: Peer

    init() throws {
        folder = try TemporaryFolder()
        // Or the file may follow meanwhile, on a thread that is not traced.
        writer = try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints")
        #expect(try writer.answers(to: ["save n 1", "save n 2"]) == ["ok", "ok"])
        try awaitOld()
    }

    /// Has the writer look at the settings file when that is so old that its times tell one version from another: a
    /// write would begin with that else.
    private func awaitOld() throws {
        let written = try #require(
            FileManager.default.attributesOfItem(atPath: folder.settingsPath())[.modificationDate] as? Date)
        #expect(eventually { Date.now.timeIntervalSince(written) > 0.02 })
        #expect(try writer.ask("stored") == #"{"n": 2}"#)
    }

    @Test(arguments: steps, refusals)
    func `Unreadable is not empty: a refused call throws its code, and loses no acknowledged write`(
        _ step: Step, _ refusal: Refusal
    ) throws {
        let strace = try Strace(writer, "\(step.call):error=\(refusal.name):when=\(step.when)")
        let said = try writer.ask("\(step.command) n 3")
        strace.finish()
        #expect(said == refusal.answer)
        let expected = step.isStored ? 3 : 2
        #expect(try folder.numbers() == ["n": expected])
        try expectAllIsWell(finding: expected)
    }

    @Test(arguments: ["1", "1+"])
    func `Unreadable is not empty: a checkpoint that cannot open a file is refused`(_ when: String) throws {
        let strace = try Strace(writer, "openat:error=EIO:when=\(when)")
        let said = try writer.ask("save n 3")
        strace.finish()
        #expect(said == "error ioFailure")
        try expectAllIsWell(finding: 3)
    }

    @Test(arguments: [
        "pwrite64", "fsync", "fdatasync", "linkat", "renameat2", "openat", "flock", "fchmod", "ftruncate",
        "unlinkat",
    ])
    func `an interrupted call is made again`(_ call: String) throws {
        // Not the mode of a new file, which so has to be given it.
        #expect(chmod(folder.settingsPath(), 0o640) == 0)
        let strace = try Strace(writer, "\(call):error=EINTR:when=1")
        let said = try writer.ask("save n 3")
        let repeated = try strace.calls().filter { $0.name == call }.count
        #expect(said == "ok")
        #expect(repeated >= 2)
        try expectAllIsWell(finding: 3)
    }

    @Test(arguments: ["EIO", "ENOSPC"])
    func `a first open that is refused any call leaves nothing that stops the next one`(_ number: String)
        throws
    {
        let calls = try callsOfOpen()
        let step = max(1, 8 / Soak.factor)
        let rounds = try stride(from: Int.random(in: 0..<step), to: calls.count, by: step).map {
            try refusedOpen(calls[$0], number, in: "suite\($0)")
        }
        #expect(rounds.filter { !$0.isRight } == [])
    }

    /// The process that was refused and a new one go on as if nothing had been.
    private func expectAllIsWell(finding number: Int) throws {
        let other = try Peer.opening(in: folder)
        let said = try [
            other.ask("stored"), writer.ask("stored"), writer.ask("set n 4"), other.ask("set m 5"),
        ]
        #expect(said == [#"{"n": \#(number)}"#, #"{"n": \#(number)}"#, "ok", "ok"])
        #expect(try folder.numbers() == ["n": 4, "m": 5])
        #expect(
            try [other, writer].map { try $0.ask("stored") }
                == Array(repeating: #"{"m": 5, "n": 4}"#, count: 2))
    }

    private func commands(_ name: String) -> [String] { ["open \(folder.path) \(name)", "set a 1"] }

    private func callsOfOpen() throws -> [Strace.Call] {
        let peer = try Peer()
        _ = try peer.ask("failures")
        let strace = try Strace(peer)
        #expect(try peer.answers(to: commands("first")) == ["ok", "ok"])
        // Its answer is no call of the suite's, and the kernel refuses nobody to give a lock back.
        let calls = try strace.calls().filter { $0.name != "write" }
        let unlock = calls.last { $0.name == "flock" }
        return calls.filter { $0 != unlock }
    }

    /// What an open under a fault led to.
    private struct Round: Equatable {
        let call: Strace.Call
        let answers: [String]
        let stored: [String: Int]
        let next: [String]

        /// What was acknowledged is there, and what was not acknowledged was told as a failure.
        var isRight: Bool {
            let isTold = answers.allSatisfy { $0 == "ok" || $0.hasPrefix("error ") }
            let isKept = answers != ["ok", "ok"] || stored == ["a": 1]
            return isTold && isKept && [[:], ["a": 1]].contains(stored) && next == ["ok", "ok"]
        }
    }

    private func refusedOpen(_ call: Strace.Call, _ number: String, in name: String) throws -> Round {
        let peer = try Peer()
        _ = try peer.ask("failures")
        let strace = try Strace(peer, "\(call.name):error=\(number):when=\(call.occurrence)")
        var answers = [try peer.ask("open \(folder.path) \(name)")]
        if answers == ["ok"] { answers.append(try peer.ask("set a 1")) }
        strace.finish()
        let stored = try folder.numbers(of: name)
        let next = try Peer()
        return Round(
            call: call, answers: answers, stored: stored,
            next: try ["open \(folder.path) \(name)", "set b 2"].map {
                try next.ask($0, within: .seconds(10))
            })
    }
}
