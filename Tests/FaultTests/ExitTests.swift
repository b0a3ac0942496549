/// What a program leaves in its settings file when it ends, and who brings the rest there when it was killed.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct ExitTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A process whose file follows only at its end.
    private func patientPeer() throws -> Peer {
        try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints")
    }

    @Test func `a program that returns from its main function leaves everything in its file`() throws {
        let peer = try patientPeer()
        #expect(try peer.answers(to: ["set a 1", "transact b 2 c 3", "remove a"]) == ["ok", "ok", "ok"])
        #expect(try folder.numbersInFile() == [:])
        #expect(try peer.close() == .status(0))
        #expect(try folder.numbersInFile() == ["b": 2, "c": 3])
    }

    @Test func `a program that ends while other threads write leaves in its file what was written before`()
        throws
    {
        let peer = try patientPeer()
        try peer.send("leave 3")
        #expect(try peer.close() == .status(3))
        let inFile = try folder.numbersInFile()
        #expect(inFile.keys.sorted() == ["own0", "own1", "own2"])
        #expect(inFile.filter { $0.value < 10 } == [:])
        // What the threads wrote after it is in the journal.
        let found = try folder.numbers()
        #expect(found.filter { $0.value < inFile[$0.key] ?? .max } == [:])
    }

    @Test(arguments: [nil, "scheduledCheckpoints"])
    func `a program ends soon, though a process is stopped that has the lock`(_ left: String?) throws {
        let (holder, other) = (try Peer.opening(in: folder), try Peer.opening(in: folder))
        if let left { #expect(try other.ask("leaveout \(left)") == "ok") }
        #expect(try other.ask("set n 1") == "ok")
        #expect(try holder.ask("begin") == "held")
        holder.stop()
        let start = ContinuousClock.now
        #expect(try other.close() == .status(0))
        // Whoever wants the lock waits for five seconds.
        #expect(ContinuousClock.now - start < .seconds(4.5), "nobody waits for the lock any longer")
        if left != nil { #expect(try folder.numbersInFile() == [:]) }
        #expect(try Peer.opening(in: folder).ask("get n") == "1")
        holder.resume()
        #expect(try holder.answers(to: ["get n", "set m 2", "release"]) == ["1", "ok", "released"])
        #expect(try folder.numbers() == ["n": 1, "m": 2])
    }

    /// Where a signal interrupts a thread whose handler ends the program.
    enum Interruption: String, CaseIterable {
        /// Under the lock of the event loop's lists, which the last checkpoint needs, too.
        case inotify_rm_watch
        /// In a commit, under the locks of writers.
        case pwrite64
    }

    @Test(.strace, arguments: Interruption.allCases)
    func `a program whose signal's handler calls exit ends soon`(_ call: Interruption) throws {
        let peer = try Peer.opening(in: folder)
        #expect(try peer.answers(to: ["endinhandler", "set n 0"]) == ["ok", "ok"])
        let strace = try Strace(
            holding: [peer], ["-e", "trace=\(call)", "-e", "inject=\(call):signal=SIGTERM:when=1"])
        let start = ContinuousClock.now
        // The file has not followed this write when the watch ends.
        try peer.send("set n 1")
        if call == .inotify_rm_watch { try peer.send("unwatch \(folder.path)/file") }
        #expect(try peer.close() == .status(4))
        #expect(ContinuousClock.now - start < .seconds(30))
        strace.finish()
        let next = try Peer.opening(in: folder)
        #expect(try (call == .pwrite64 ? ["0", "1"] : ["1"]).contains(next.ask("get n")))
        #expect(try next.ask("set n 3") == "ok")
    }

    @Test func `a process that had a checkpoint of its own to make looks after others' records later too`()
        throws
    {
        let (killed, idle) = (try patientPeer(), try Peer.opening(in: folder))
        // Its own checkpoint is due, and brings both.
        #expect(try [idle.ask("set x 1"), killed.ask("set y 1"), idle.ask("get y")] == ["ok", "ok", "1"])
        #expect(try eventually { try folder.numbersInFile() == ["x": 1, "y": 1] })
        #expect(try [killed.ask("set z 3"), idle.ask("get z")] == ["ok", "3"])
        killed.kill()
        #expect(try killed.close() == .signal(9))
        #expect(try eventually { try folder.numbersInFile()["z"] == 3 })
    }

    /// How an idle process comes to know the records of one that is killed.
    enum Witness: String, CaseIterable {
        case observer, reader
    }

    @Test(arguments: Witness.allCases)
    func `what a killed process has written is read at once, and soon in the file`(_ witness: Witness) throws
    {
        let (killed, idle) = (try patientPeer(), try Peer.opening(in: folder))
        if witness == .observer { #expect(try idle.ask("observe n") == "ok") }
        #expect(try killed.ask("set n 1") == "ok")
        if witness == .observer {
            #expect(try idle.ask("events 1") == #"[[null, 1, "otherProcess \#(killed.processID)"]]"#)
        } else {
            #expect(try idle.ask("get n") == "1")
        }
        killed.kill()
        #expect(try killed.close() == .signal(9))
        // This one has no reason to bring it there, and shows that it need not be there to be read.
        let newcomer = try patientPeer()
        #expect(try newcomer.ask("get n") == "1")
        newcomer.kill()
        #expect(try newcomer.close() == .signal(9))
        #expect(try eventually { try folder.numbersInFile() == ["n": 1] })
    }
}
