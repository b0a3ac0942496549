/// Several peers at work on one suite at a time, and the history they leave.
import Foundation
import TestSupport
import Testing
import TypedDefaults

/// Each worker is a peer whose threads set, remove, exchange, add and read at random, and note what they ask and are
/// answered in files that outlive them.
final class WorkRun {
    /// A peer, and the number by which its values and notes are known.
    struct Worker {
        let peer: Peer
        let number: Int
    }

    let folder: TemporaryFolder
    /// The workers of this round that live.
    private(set) var workers: [Worker] = []
    /// The numbers of those that were killed.
    private var killed: Set<Int> = []
    private let seed: Int
    private let load: String
    private var started = 0
    private var round = 0
    /// What the registers held when this round began.
    private var initial: [String: Int?] = [:]

    init(seed: Int, load: String) throws {
        (self.seed, self.load, folder) = (seed, load, try TemporaryFolder())
        try makeNotes()
    }

    private var notes: String { "\(folder.path)/notes\(round)" }

    private func makeNotes() throws {
        try FileManager.default.createDirectory(atPath: notes, withIntermediateDirectories: false)
    }

    /// Starts a worker.
    @discardableResult
    func start(_ more: String = "") throws -> Worker {
        started += 1
        let worker = Worker(peer: try Peer.opening(in: folder), number: started)
        try worker.peer.expectOK(
            "work notes=\(notes) number=\(started) seed=\(seed + started) \(load) \(more)")
        workers.append(worker)
        return worker
    }

    /// Sends the same command to all workers and waits for their answers.
    func ask(_ command: String) throws -> [String] {
        for worker in workers { try worker.peer.send(command) }
        return try workers.map { try $0.peer.receive(within: .seconds(300)) }
    }

    /// Kills a worker where it stands.
    func kill(_ worker: Worker) throws {
        worker.peer.kill()
        #expect(try worker.peer.close() == .signal(9))
        killed.insert(worker.number)
        workers.removeAll { $0.number == worker.number }
    }

    /// Lets the threads of all workers do what they have to, or end at once, and the workers checkpoint and end;
    /// answers what was not as it should be.
    func finish(_ verb: String = "join") throws -> [String] {
        let done = try ask(verb).filter { Int($0) == nil }
        let said = try ["hearall", "checkpoint"].flatMap { try ask($0) }.filter { $0 != "ok" }
        let failures = try ask("failures").filter { !$0.isEmpty }
        let ends = try workers.map { try $0.peer.close() }.filter { $0 != .status(0) }
        return done + said + failures + ends.map { "\($0)" }
    }

    /// What the workers of this round noted, and, as the last reads, what the settings file holds now.
    func history() throws -> History {
        var history = History()
        for name in try FileManager.default.contentsOfDirectory(atPath: notes).sorted() where !isChain(name) {
            try history.read("\(notes)/\(name)", client: name)
        }
        for (register, values) in try inFile(of: Set(history.operations.keys)) {
            history.add(.init("settings.json", Int64.max - 1, Int64.max, .read(values)), on: register)
        }
        return history
    }

    /// What was refused, but for a writer that could not have the lock in time, in words.
    ///
    /// That one has not taken effect and has to be in no order; before it gave up it waited for five seconds.
    func errors(in history: History) -> [String] {
        history.refused.filter { refusal in
            let waited = (refusal.operation.end ?? 0) - refusal.operation.start
            return refusal.code != "lockTimeout" || waited < 4_900_000_000
        }.map { "\($0.code): \($0.operation)" }
    }

    /// What no order of this round's answers explains, in words.
    func violations(in history: History) -> [String] {
        history.violations(initial: initial).map { "\($0.key): \($0.value)" }
    }

    /// What is wrong with what each observer of this round was told, in words.
    func brokenChains(in history: History) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: notes).sorted().filter(isChain).flatMap { name in
            let words = name.split(separator: ".").map(String.init)
            let operations = history.operations[words[2]] ?? []
            let chain = try ObservedChain(path: "\(notes)/\(name)")
            // What a killed process was told last may have gone with it.
            let isWhole = !killed.contains(Int(words[0]) ?? 0)
            let own = operations.filter { isWhole && $0.client.hasPrefix("\(words[0]).") }
            let wrong = chain.faults(beside: operations, initial: initial[words[2]] ?? nil)
            return (wrong + chain.missing(of: own).map { "\($0) was written here and not told" })
                .map { "\(name): \($0)" }
        }
    }

    /// Begins another round on the same file.
    func nextRound() throws {
        let last = try history()
        for (register, values) in try inFile(of: Set(last.operations.keys)) { initial[register] = values[0] }
        workers = []
        round += 1
        try makeNotes()
    }

    private func isChain(_ name: String) -> Bool { name.contains(".o.") }

    /// The numbers that the settings file holds for registers, read without the library.
    private func inFile(of registers: Set<String>) throws -> [String: [Int?]] {
        let bytes = try Data(contentsOf: URL(filePath: folder.settingsPath()))
        let object = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Int])
        return Dictionary(
            uniqueKeysWithValues: registers.map { register in
                let keys = register.hasPrefix("p") ? ["\(register).a", "\(register).b"] : [register]
                return (register, keys.map { object[$0] })
            })
    }
}
