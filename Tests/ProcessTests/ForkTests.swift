/// A forked child of a program that had suites open is refused, and keeps nothing of its parent's; the parent goes on.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct ForkTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let parent: Peer

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        // A thread that makes checkpoints may use a type for the first time just then, with a lock of Swift's runtime,
        // which is never free in the child.
        parent = try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints")
        try suite.set(1, forKey: "a")
        #expect(try parent.ask("get a") == "1")
    }

    @Test(arguments: [
        "set b 2", "setint b 2", "remove a", "removeall", "transact b 2", "stored", "getint a", "begin",
        "checkpoint",
        "synchronize", "migrate step",
    ])
    func `a call in a child throws what says so`(_ command: String) throws {
        let child = try ForkedPeer(of: parent, by: "fork")
        #expect(try child.ask(command) == "error forkedChild")
        #expect(try child.fork().ask(command) == "error forkedChild")
        #expect(try parent.ask("set b 3") == "ok")
        #expect(try suite.storedValues() == ["a": 1, "b": 3])
    }

    @Test func `the error names the cause and the recovery suggestion`() {
        #expect(
            DefaultsError(.forkedChild).description
                == "Suites were open before this process was forked, and cannot be used in it. "
                + "Open suites after fork or daemon(3), or call exec in the child.")
    }

    @Test func `a read in a child that cannot throw is what the parent had read last, and is reported once`()
        throws
    {
        let child = try ForkedPeer(of: parent, by: "fork")
        try suite.set(2, forKey: "a")
        #expect(try parent.ask("get a") == "2")
        #expect(
            try [child.ask("get a"), child.ask("get a"), child.ask("snapshot")] == ["1", "1", #"{"a": 1}"#])
        #expect(try child.ask("failures") == "forkedChild")
        #expect(try child.ask("modify n subscript 1") == "ok")
        #expect(try child.ask("failures") == "forkedChild accessNotStored")
        #expect(try parent.ask("failures") == "")
    }

    @Test(arguments: ["open FOLDER settings", "openmemory"])
    func `a cached value is not the child's: its first read is reported`(_ opening: String) throws {
        for command in [opening.replacing("FOLDER", with: folder.path), "setint a 1", "track a change"] {
            try parent.expectOK(command)
        }
        for _ in 0..<3 { #expect(try parent.ask("gettracked a") == "1") }
        let child = try ForkedPeer(of: parent, by: "fork")
        #expect(try [child.ask("gettracked a"), child.ask("failures")] == ["1", "forkedChild"])
    }

    @Test func `another suite, and one in memory, are refused in the child as well`() throws {
        let child = try ForkedPeer(of: parent, by: "fork")
        for command in ["open \(folder.path) other", "openstandard"] {
            #expect(try child.ask(command) == "ok")
            #expect(try child.ask("set a 1") == "error forkedChild")
        }
        let parent = try Peer()
        #expect(try parent.ask("set a 1") == "ok")
        let other = try ForkedPeer(of: parent, by: "fork")
        #expect(
            try [other.ask("set a 2"), other.ask("get a"), parent.ask("get a")] == [
                "error forkedChild", "1", "1",
            ])
    }

    @Test func `a child has nothing open of its parent, neither files nor notices`() throws {
        #expect(try parent.ask("observe a") == "ok")
        #expect(try parent.ask("descriptors \(folder.path)").contains("settings.json.lock"))
        let child = try ForkedPeer(of: parent, by: "fork")
        #expect(try child.ask("descriptors \(folder.path)") == "none")
        #expect(try child.ask("get a") == "1")
        #expect(try child.ask("descriptors \(folder.path)") == "none")
        #expect(try parent.ask("set a 2") == "ok")
        #expect(try parent.ask("events 1") == #"[[1, 2, "thisProcess"]]"#)
    }

    @Test func `observers and trackings stay the parent's, and a child's begin with a report`() throws {
        for command in ["observe a", "track n parent"] { try parent.expectOK(command) }
        let child = try ForkedPeer(of: parent, by: "fork")
        for command in ["observe a", "track n child"] { #expect(try child.ask(command) == "ok") }
        #expect(try child.ask("failures") == "forkedChild")
        for command in ["setint n 1", "checkpoint"] { try parent.expectOK(command) }
        #expect(try parent.ask("events 1") == #"["parent"]"#)
        try folder.write(#"{"a": 3}"#, to: "settings/settings.json")
        #expect(try parent.ask("events 1") == #"[[1, 3, "fileEdited"]]"#)
    }

    @Test(arguments: ["fork", "daemonise"])
    func `a suite that is opened after the fork is the child's like any other`(_ way: String) throws {
        let parent = try Peer()
        for command in ["open \(folder.path) settings", "leaveout scheduledCheckpoints"] {
            try parent.expectOK(command)
        }
        let child = try ForkedPeer(of: parent, by: way)
        #expect(try [child.ask("get a"), child.ask("set b 2"), child.ask("failures")] == ["1", "ok", ""])
        if way == "fork" { #expect(try [parent.ask("set c 3"), child.ask("get c")] == ["ok", "3"]) }
        #expect(try suite.storedValues()["b"] == 2)
    }

    @Test func `a daemon that has opened a suite before is refused`() throws {
        let child = try ForkedPeer(of: parent, by: "daemonise")
        #expect(try child.ask("set b 2") == "error forkedChild")
    }

    @Test(arguments: ["forkexec", "spawn"])
    func `a program that is started in a child is free of this`(_ way: String) throws {
        #expect(try parent.ask("observe a") == "ok")
        let child = try ForkedPeer(of: parent, by: way)
        #expect(try child.ask("open \(folder.path) settings") == "ok")
        #expect(try [child.ask("get a"), child.ask("set a 2"), child.ask("failures")] == ["1", "ok", ""])
        #expect(try parent.ask("events 1").hasPrefix("[[1, 2"))
        try child.close()
        #expect(try parent.ask("reap \(child.processID)") == "0")
    }

    @Test func `a child that exits leaves the file alone`() throws {
        // Of its own, or another process may bring the file up to date.
        let folder = try TemporaryFolder()
        let parent = try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints")
        for command in ["save a 1", "set b 2"] { try parent.expectOK(command) }
        let child = try ForkedPeer(of: parent, by: "fork")
        try child.close()
        #expect(try parent.ask("reap \(child.processID)") == "0")
        let file = URL(filePath: folder.path + "/settings/settings.json")
        #expect(try !String(contentsOf: file, encoding: .utf8).contains(#""b""#))
        #expect(try [parent.ask("set d 4"), parent.ask("stored")] == ["ok", #"{"a": 1, "b": 2, "d": 4}"#])
    }

    @Test func `forks beside threads that write without pause lose nothing and leave no lock`() throws {
        // What a process does by itself for the first time has Swift's runtime make types, and a fork in that very moment
        // is beyond us: it is notified of a change, and a checkpoint that is due is made, before any fork.
        let parent = try Peer.opening(in: folder)
        #expect(try parent.ask("observe a") == "ok")
        try suite.set(2, forKey: "a")
        #expect(try parent.ask("events 1").hasPrefix("[[1, 2"))
        #expect(try parent.ask("set first 1") == "ok")
        #expect(try eventually { try folder.read("settings/settings.json").contains("first") })
        let count = Soak.times(200)
        let said = try parent.ask("forks \(count)", within: .seconds(Soak.times(300)))
        let words = said.split(separator: " ", maxSplits: 1)
        #expect(words.count == 1, "\(said)")
        let added = try #require(words.first.flatMap { Int($0) })
        #expect(added > 0)
        #expect(try suite.storedValues()["parent"]?.int == added)
        #expect(try suite.storedValues()["child"] == nil)
        try suite.set(3, forKey: "a")
        #expect(try parent.ask("get a") == "3")
    }

    @Test func `children of threads that are never at rest end at once`() throws {
        #expect(try parent.ask("forksincrowd 32 20", within: .seconds(60)) == "20")
    }
}

/// Forks while the parent's lock is held, on the thread that holds it or on another.
@Suite(.timeLimit(.minutes(60)), .ownThread)
struct ForkInTransactionTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let parent: Peer

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        parent = try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints")
        try suite.set(1, forKey: "a")
        #expect(try parent.ask("setint n 1") == "ok")
        #expect(try parent.ask("begin") == "held")
        #expect(try parent.ask("set a 2") == "ok")
    }

    @Test func `a transaction is its parent's: in the child it throws and stores nothing`() throws {
        let child = try ForkedPeer(of: parent, by: "fork")
        #expect(
            try [child.ask("set b 3"), child.ask("get a"), child.ask("release"), child.ask("set c 4")] == [
                "ok", "none", "error forkedChild", "error forkedChild",
            ])
        #expect(try parent.ask("release") == "released")
        #expect(try suite.storedValues() == ["a": 2, "n": 1])
    }

    @Test(arguments: ["fork", "forkbeside"])
    func `the parent's death frees its lock, though a child lives on`(_ way: String) throws {
        let child = try ForkedPeer(of: parent, by: way)
        parent.kill()
        #expect(try parent.close() == .signal(9))
        try suite.set(5, forKey: "c")
        #expect(try child.ask(way == "fork" ? "release" : "set b 3") == "error forkedChild")
        #expect(try suite.storedValues() == ["a": 1, "c": 5, "n": 1])
    }

    @Test func `the child's death leaves the parent its lock`() throws {
        do {
            let child = try ForkedPeer(of: parent, by: "forkbeside")
            try child.close()
        }
        let other = try Peer.opening(in: folder)
        try other.send("set b 3")
        #expect(throws: Peer.Failure.timedOut(waitingFor: "an answer")) {
            try other.receive(within: .milliseconds(200))
        }
        #expect(try parent.ask("release") == "released")
        #expect(try other.receive() == "ok")
    }

    @Test(arguments: ["modify", "subscript"])
    func `an access in place is its parent's: the child's copy is not stored`(_ way: String) throws {
        #expect(try parent.ask("release") == "released")
        let child = try ForkedPeer(of: parent, by: "forkinside \(way)")
        #expect(child.greeting == (way == "modify" ? "error forkedChild" : "child"))
        #expect(try child.ask("failures") == (way == "modify" ? "" : "forkedChild"))
        #expect(try [parent.ask("failures"), parent.ask("getint n")] == ["", "2"])
        #expect(try parent.ask("modify n subscript 1") == "ok")
        #expect(try parent.ask("getint n") == "3")
    }
}
