/// Processes do all there is to do on one suite, for as long as is asked, while they are killed and the file is edited.
import Foundation
import Libc
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(6_000)), .ownThread)
struct SoakTests {
    /// In each round three processes set, exchange, add, remove and read, alone and in transactions, and observe.
    ///
    /// A fourth reads, a fifth opens and closes the suite, and a sixth listens. The file is edited meanwhile, and one
    /// process, or all that write, are killed and come again.
    @Test
    func `Acknowledged means kept: one order of what processes do that are killed and edited beside`() throws
    {
        var random = SeededNumbers(seed: 4)
        let run = try WorkRun(seed: 4, load: "threads=3 registers=3 counters=1 pairs=2 operations=2000")
        let (opener, listener) = (try Peer(), try Peer.opening(in: run.folder))
        try listener.expectOK("observe edited")
        let heard = Recorder<Defaults.KeyChange<Int>>()
        let key = Defaults.Key<Int>("turns", default: 0, suite: try run.folder.suite())
        let observation = Defaults.observe(key, options: []) { heard.append($0) }
        var (turns, edits, unanswered) = (0, 0, 0)
        var burdens: [Burden] = []

        /// Edits the file, of which the listener is to be told.
        ///
        /// What is seen at once has one cause, which may be any process that writes meanwhile.
        func edit(beside writers: [Int32], _ round: Comment) throws {
            edits += 1
            try SoakTests.edit("edited", to: edits, in: run.folder)
            let change = "\(edits == 1 ? "null" : "\(edits - 1)"), \(edits)"
            let causes = ["fileEdited"] + writers.map { "otherProcess \($0)" }
            let allowed = causes.map { "[[\(change), \"\($0)\"]]" }
            let told = try listener.ask("events 1")
            try #require(allowed.contains(told), round)
        }

        let end = ContinuousClock.now + Soak.atLeast
        while burdens.count < max(2, Soak.part(of: 4)) || ContinuousClock.now < end {
            let round = Comment(rawValue: "round \(burdens.count)")
            for _ in 0..<3 { try run.start() }
            try run.start("threads=1 only=reads")
            try opener.send("turns \(run.folder.path) settings turns 10")
            turns += 10
            #expect(try run.ask("goon 30").filter { Int($0) == nil } == [], round)
            // Then there is a file to edit.
            try run.workers[0].peer.expectOK("checkpoint")
            // This process and the listener make a checkpoint where others are late with theirs.
            var writers = [getpid(), opener.processID] + run.workers.map(\.peer.processID)
            for _ in 0..<3 { try edit(beside: writers, round) }
            spin(for: .microseconds(.random(in: 0...20_000, using: &random)))
            // All writers every second time: then nobody writes over what they wrote last before a newcomer reads it.
            let victim = run.workers[.random(in: 0..<3, using: &random)]
            let victims = burdens.count.isMultiple(of: 2) ? run.workers.dropLast() : [victim]
            for victim in victims { try run.kill(victim) }
            for _ in victims { writers.append(try run.start().peer.processID) }
            #expect(try run.ask("goon 30").filter { Int($0) == nil } == [], round)
            try edit(beside: writers, round)
            let opened = try opener.receive()
            #expect(opened == "ok", round)
            let complaints = try run.finish("end")

            let history = try run.history()
            #expect(complaints == [], round)
            #expect(run.errors(in: history) == [], round)
            let chains = try run.brokenChains(in: history)
            #expect(run.violations(in: history) == [], round)
            #expect(chains == [], round)
            unanswered += history.all.filter { $0.end == nil }.count

            let burden = try Burden(of: opener, listener, in: run.folder)
            try #require(burden.openersFiles == [], round)
            try #require(burden.listenersFiles == Self.open, round)
            try #require(burden.others == (burdens.first ?? burden).others, round)
            burdens.append(burden)
            #expect(try names(in: run.folder) == Self.files, round)
            #expect(try listener.ask("get edited") == "\(edits)", round)
            #expect(try listener.ask("get turns") == "\(turns)", round)
            #expect(heard.wait(within: .seconds(120)) { $0.last?.newValue == turns }, round)
            let told = heard.all.filter { $0.newValue > turns - 10 }
            #expect(told.map(\.oldValue) == [turns - 10] + told.dropLast().map(\.newValue), round)
            #expect(Set(told.map(\.cause)).isSubset(of: writers.map { .otherProcess($0) }), round)
            // Nobody writes any more, and the listener has seen everything.
            try edit(beside: [], round)
            try run.nextRound()
        }
        observation.invalidate()
        #expect(unanswered > 0, "operations that a kill cut short")
        #expect(try [opener, listener].map { try $0.ask("failures") } == ["", ""])
        // The first rounds meet things for the first time, and make room for them.
        let memory = (0...4).map { burdens[(burdens.count - 1) * $0 / 4].memory }
        for (half, whole) in zip(memory[2], memory[4]) { #expect(whole <= half + 2_048, "KiB") }
        Soak.note(
            "soak: \(burdens.count) rounds, \(edits) edits, \(turns) openings, \(unanswered) operations cut short, "
                + "KiB after each quarter: \(memory)")
    }

    /// What a suite's folder has, and nothing else.
    private static let files = [".settings.json.journal", ".settings.json.lock", "settings.json"]

    /// What a process that listens has open of it: these, and the folder.
    private static let open = (files + ["settings"]).sorted()

    private func names(in folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/settings").sorted()
    }

    /// Saves the file with another number in it, as an editor does: a new file, renamed over it.
    ///
    /// The editor has the writer's lock meanwhile. Otherwise a checkpoint could come between its look at the file and its
    /// save, and that would take back what the checkpoint has brought, as every save of an old text does.
    private static func edit(_ key: String, to number: Int, in folder: TemporaryFolder) throws {
        let lock = try FileHandle(forUpdating: URL(filePath: "\(folder.path)/settings/.settings.json.lock"))
        guard flock(lock.fileDescriptor, LOCK_EX) == 0 else { throw POSIXError.current }
        let file = folder.settingsPath()
        let bytes = try Data(contentsOf: URL(filePath: file))
        var object = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Int])
        object[key] = number
        let edited = "\(folder.path)/edited"
        try JSONSerialization.data(withJSONObject: object).write(to: URL(filePath: edited))
        guard chmod(edited, 0o600) == 0, rename(edited, file) == 0 else { throw POSIXError.current }
        // A process that another test starts at this time has the file too, so that to close it is not enough.
        guard flock(lock.fileDescriptor, LOCK_UN) == 0 else { throw POSIXError.current }
        try lock.close()
    }

    /// What the processes that stay have of the machine, once they are at rest.
    private struct Burden {
        /// The names of those files of the suite's folder, and the folder's, that the process which opens and closes the
        /// suite has open.
        let openersFiles: [String]
        /// The same of the one that listens.
        let listenersFiles: [String]
        /// What both have open beside them.
        let others: [[String]]
        /// In KiB.
        let memory: [Int]

        /// A suite that nobody has any more keeps its files until its checkpoint has been made, which comes the later the
        /// longer the one before has taken.
        init(of opener: Peer, _ listener: Peer, in folder: TemporaryFolder) throws {
            let peers = [opener, listener]
            var open = try peers.map(Burden.openFiles)
            func isOfSuite(_ file: String) -> Bool { file.hasPrefix("\(folder.path)/settings") }
            func names(_ files: [String]) -> [String] {
                files.filter(isOfSuite).map { URL(filePath: $0).lastPathComponent }.sorted()
            }
            _ = try eventually {
                open = try peers.map(Burden.openFiles)
                return names(open[0]).isEmpty && names(open[1]) == SoakTests.open
                    && !open.joined().contains(Burden.closed)
            }
            (openersFiles, listenersFiles) = (names(open[0]), names(open[1]))
            others = open.map { $0.filter { !isOfSuite($0) } }
            memory = try peers.map(Burden.memory)
        }

        /// What stands for a descriptor that was closed before it could be looked at.
        private static let closed = "closed"

        /// What a process's descriptors lead to.
        private static func openFiles(of peer: Peer) throws -> [String] {
            let (folder, files) = ("/proc/\(peer.processID)/fd", FileManager.default)
            return try files.contentsOfDirectory(atPath: folder).map { name in
                do { return try files.destinationOfSymbolicLink(atPath: "\(folder)/\(name)") } catch {
                    return closed
                }
            }.sorted()
        }

        private static func memory(of peer: Peer) throws -> Int {
            let status = try String(contentsOfFile: "/proc/\(peer.processID)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
            return try #require(Int(line.filter(\.isNumber)))
        }
    }

    /// Moves the kill to another place of the work; nothing rests on how long it takes.
    private func spin(for time: Duration) {
        let end = ContinuousClock.now + time
        while ContinuousClock.now < end {}
    }
}
