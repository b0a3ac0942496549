/// Two machines that have one folder over a network, whose kernels remember names, lengths, times and bytes.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(
    .timeLimit(.minutes(60)), .ownThread,
    .enabled(if: RemoteFolder.exists, "file systems in user space cannot be mounted here"))
struct RemoteFolderTests {
    @Test(arguments: RemoteFolder.Kind.allCases)
    func `of the additions of two machines none is lost (F20)`(_ kind: RemoteFolder.Kind) throws {
        let remote = try RemoteFolder(kind)
        let peers = try remote.peers()
        let times = Soak.part(of: 50)
        for (peer, way) in zip(peers, ["modify", "transaction"]) {
            try peer.send("threads n \(way) 2 \(times)")
        }
        let said = try peers.map { try [$0.receive(within: .seconds(300)), $0.ask("failures")] }
        #expect(said == Array(repeating: ["ok", ""], count: 2))
        #expect(try peers.map { try $0.ask("getint n") } == ["\(4 * times)", "\(4 * times)"])
        try peers[0].expectOK("checkpoint")
        #expect(try remote.settings() == ["n": 4 * times])
        #expect(
            try remote.names() == [".settings.json.journal", ".settings.json.lock", "settings.json"])
    }

    @Test(arguments: RemoteFolder.Kind.allCases)
    func `what one machine has set, the other reads at once, also from the file`(_ kind: RemoteFolder.Kind)
        throws
    {
        let remote = try RemoteFolder(kind)
        let peers = try remote.peers()
        let stale = try (1...Soak.part(of: 40)).filter { round in
            let (one, other) = (peers[round % 2], peers[(round + 1) % 2])
            // With a new settings file every other time.
            try one.expectOK(round % 4 < 2 ? "set n \(round)" : "save n \(round)")
            return try other.ask("get n") != "\(round)"
        }
        #expect(stale == [])
        let last = try remote.peer(on: remote.machines[0]).ask("get n")
        #expect(last == "\(Soak.part(of: 40))")
    }

    @Test(arguments: RemoteFolder.Kind.allCases)
    func `a save by hand on one machine is seen on the other, and no checkpoint there overwrites it`(
        _ kind: RemoteFolder.Kind
    ) throws {
        let remote = try RemoteFolder(kind)
        let peers = try remote.peers()
        for round in 1...Soak.part(of: 5) {
            try peers[0].expectOK("save a \(round)")
            #expect(try peers[1].ask("get a") == "\(round)")
            try remote.save("{\"a\": \(round), \"e\": \(round)}", on: remote.machines[0])
            try peers[1].expectOK("save b \(round)")
            #expect(try remote.settings() == ["a": round, "e": round, "b": round])
            #expect(
                try eventually {
                    try peers[0].ask("stored") == "{\"a\": \(round), \"b\": \(round), \"e\": \(round)}"
                })
        }
    }

    @Test(arguments: RemoteFolder.Kind.allCases)
    func `what one machine has stored, the other takes back (F27)`(_ kind: RemoteFolder.Kind) throws {
        let remote = try RemoteFolder(kind)
        let peers = try remote.peers()
        let begin = ContinuousClock.now
        try peers[0].expectOK("keephistory 9")
        for round in 1...4 {
            try peers[round % 2].expectOK("save n \(round)")
            let versions = try peers.map { try $0.ask("versions") }
            #expect(versions[0] == versions[1])
        }
        let said = try [
            peers[0].ask("undo n 2"), peers[1].ask("undo n"), peers[0].ask("get n"), peers[0].ask("redo n 2"),
            peers[1].ask("redo n"),
        ]
        #expect(said == ["3 2", "1", "1", "2 3", "4"])
        let failures = try Set(peers.map { try $0.ask("failures") })
        // A lock is waited for five seconds; then the version is not kept.
        let allowed: Set = begin.duration(to: .now) < .seconds(5) ? [""] : ["", "lockTimeout"]
        #expect(failures.isSubset(of: allowed))
    }

    @Test(arguments: RemoteFolder.Kind.allCases)
    func `a start on one machine counts on the other (F28)`(_ kind: RemoteFolder.Kind) throws {
        let remote = try RemoteFolder(kind)
        let peers = try remote.peers()
        try peers[0].expectOK("set n 1")
        #expect(try peers[0].ask("beginstart 2 n") == "usual")
        try peers[0].expectOK("healthy")
        try peers[1].expectOK("set n 2")
        #expect(try peers[1].ask("beginstart 2 n") == "usual")
        #expect(try peers[0].ask("beginstart 2 n") == "usual")
        #expect(try peers[1].ask("beginstart 2 n") == "safe")
        #expect(try peers[1].ask("get n") == "1")
        #expect(try peers[0].ask("get n") == "2")
    }

    @Test(arguments: RemoteFolder.Kind.allCases)
    func `the layer that one machine has kept last is the one known on the other (F23)`(
        _ kind: RemoteFolder.Kind
    ) throws {
        let remote = try RemoteFolder(kind)
        let local = try TemporaryFolder()
        let source = local.path + "/source.json"
        let online = try remote.peer(on: remote.machines[0])
        try local.write(#"{"volume": 0.25}"#, to: "source.json")
        try online.expectOK("followkept \(source)")
        for volume in ["0.25", "0.5"] {
            try local.saveByRename("{\"volume\": \(volume)}", to: "source.json")
            #expect(try eventually { try remote.knownLayers().contains { $0.contains(volume) } })
            try local.remove("source.json")
            let offline = try remote.peer(on: remote.machines[1])
            try offline.expectOK("followkept \(source)")
            #expect(try offline.ask("get volume") == volume)
            try offline.close()
        }
    }

    @Test(arguments: RemoteFolder.Kind.allCases)
    func `an observer on one machine is told of what the other has set`(_ kind: RemoteFolder.Kind) throws {
        let remote = try RemoteFolder(kind)
        let peers = try remote.peers()
        try peers[0].expectOK("observe n")
        try peers[1].expectOK("set n 1")
        #expect(
            try peers[0].ask("events 1") == "[[null, 1, \"otherProcess \(peers[1].processID)\"]]")
    }
}

@Suite(
    .timeLimit(.minutes(60)), .ownThread, .strace,
    .enabled(if: RemoteFolder.exists, "file systems in user space cannot be mounted here"))
struct RemoteDeathTests {
    /// The calls that change something, each with how many of them a write with its checkpoint makes at least.
    static let calls = [
        ("pwrite64", 5), ("flock", 2), ("unlinkat", 1), ("fsync", 2), ("fdatasync", 1), ("renameat2", 1),
        ("ftruncate", 1),
    ]

    @Test(arguments: [RemoteFolder.Kind.names, .network], calls.map(\.0))
    func `a writer that dies on one machine leaves the write whole or not at all, and the other goes on`(
        _ kind: RemoteFolder.Kind, _ call: String
    ) throws {
        let remote = try RemoteFolder(kind)
        let other = try remote.peer(on: remote.machines[1])
        try other.expectOK("transact a 0 b 0 n 0")
        for occurrence in 1...(Self.calls.first { $0.0 == call }?.1 ?? 1) {
            let peer = try remote.peer(on: remote.machines[0])
            _ = try peer.ask("stored")
            let strace = try Strace(peer, "\(call):signal=KILL:when=\(occurrence)")
            let number = occurrence * 10
            let said = try peer.answers(to: ["transact a \(number) b \(number)", "checkpoint"])
            _ = try peer.close()
            _ = try strace.log()
            let (a, b) = try (other.ask("getint a"), other.ask("getint b"))
            #expect(a == b, "\(call) \(occurrence)")
            if !said.isEmpty { #expect(a == "\(number)", "\(call) \(occurrence)") }
            try other.send("threads n modify 1 3")
            #expect(try other.receive(within: .seconds(120)) == "ok")
            #expect(try other.ask("getint n") == "\(occurrence * 3)", "\(call) \(occurrence)")
            try other.expectOK("checkpoint")
            #expect(try other.ask("getint a") == a)
            #expect(
                try remote.names() == [".settings.json.journal", ".settings.json.lock", "settings.json"],
                "\(call) \(occurrence)")
        }
    }
}
