/// Processes that use one suite step by step while strace writes down what they do.
import DefaultsStore
import Foundation
import TestSupport

struct Workload {
    /// Processes that live at the same time and are told one command after the other.
    struct Stage {
        /// The commands; `@` in them is the path of the folder that holds the suite's folder.
        var commands: [SuiteCommand]
        /// What strace does to the processes, as in its `--inject`.
        var fault: String? = nil

        /// Lines such as `0: set a 1`, the process's number first.
        init(_ lines: [String], fault: String? = nil) {
            commands = lines.map { line in
                let parts = line.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
                return SuiteCommand(process: Int(parts[0]) ?? 0, line: String(parts[1]))
            }
            self.fault = fault
        }
    }

    let name: String
    /// The folder that holds the suite's folder, counted from the test's own.
    var parent = ""
    let stages: [Stage]
    /// What an earlier power loss has left in the folder, and the stored values that it amounts to.
    var start: (state: FolderState, stored: StoredSettings)?

    /// A process said what it should not.
    struct Unexpected: Error {
        let command: SuiteCommand
        let answer: String
    }

    /// Does all of it in a new folder.
    func record() throws -> Recording {
        let folder = try TemporaryFolder()
        var run = Run(root: URL(filePath: folder.path).resolvingSymlinksInPath().path, parent)
        if let start {
            try start.state.write(to: folder.path)
            run.begin(with: start.state, start.stored)
        }
        for stage in stages { try run.take(stage) }
        return Recording(
            name: name, parent: parent, steps: run.trace.steps, files: run.trace.files,
            commands: run.commands, start: start?.stored ?? [:], startingSteps: run.startingSteps)
    }

    /// The calls that change the folder, as faults name them: those of the first stage's first process.
    func changingCalls() throws -> [String] {
        let folder = try TemporaryFolder()
        let root = URL(filePath: folder.path).resolvingSymlinksInPath().path
        var run = Run(root: root, parent)
        guard let stage = stages.first else { return [] }
        try run.take(stage)
        let calls = try TracedCall.all(in: run.lastLog).filter { $0.thread == run.firstProcess }
        var counts: [String: Int] = [:]
        return calls.compactMap { call in
            counts[call.name, default: 0] += 1
            let isOurs = call.arguments.contains { $0.contains(TracedCall.encoded(root)) }
            let changes = !call.name.hasPrefix("open") || call.arguments.contains { $0.contains("O_CREAT") }
            return isOurs && changes ? "\(call.name):signal=KILL:when=\(counts[call.name] ?? 1)" : nil
        }
    }

    /// What has happened so far.
    private struct Run {
        var trace: FolderTrace
        let parent: String
        var commands: [Recording.Command] = []
        private(set) var startingSteps = 0
        private(set) var lastLog = ""
        private(set) var firstProcess: Int32 = 0
        private var possible: Set<StoredSettings> = [[:]]

        init(root: String, _ parent: String) {
            trace = FolderTrace(root: root)
            self.parent = parent.isEmpty ? root : root + "/" + parent
        }

        mutating func begin(with state: FolderState, _ stored: StoredSettings) {
            trace.begin(with: state)
            startingSteps = trace.steps.count
            possible = [stored]
        }

        mutating func take(_ stage: Stage) throws {
            let count = (stage.commands.map(\.process).max() ?? 0) + 1
            let peers = try (0..<count).map { _ in try Peer() }
            for peer in peers { try peer.ask("failures") }
            firstProcess = peers[0].processID
            let strace = try Strace(
                holding: peers,
                ["-f", "-y", "-xx", "-s", "1000000", "-e", "trace=\(FolderTrace.calls)"]
                    + (stage.fault.map { ["-e", "inject=\($0)"] } ?? []))
            let answers = try ask(stage.commands, peers)
            if stage.fault?.contains("signal=STOP") == true {
                for peer in peers { try peer.finishGoingOn() }
            }
            for peer in peers { try peer.close() }
            lastLog = try strace.log()
            let first = trace.steps.count
            try trace.read(lastLog)
            try note(answers, peers, trace.steps[first...])
        }

        /// The answers; nil from a process that died in the command, which is its last.
        private func ask(
            _ commands: [SuiteCommand], _ peers: [Peer]
        ) throws -> [(command: SuiteCommand, answer: String?)] {
            var (dead, stopped): (Set<Int>, [Int: SuiteCommand]) = ([], [:])
            var answers: [(command: SuiteCommand, answer: String?)] = []
            for command in commands where !dead.contains(command.process) {
                let peer = peers[command.process]
                var asked = command
                do {
                    var answer: String?
                    if let begun = command.begun {
                        asked = begun
                        if try peer.answerOrStop(to: line(begun)) != nil {
                            throw Unexpected(command: begun, answer: "it did not stop")
                        }
                        stopped[command.process] = begun
                    } else if command.isFinish {
                        guard let begun = stopped.removeValue(forKey: command.process) else { continue }
                        asked = begun
                        peer.resume()
                        answer = try peer.receive()
                    } else {
                        answer = try peer.ask(line(command))
                    }
                    guard let answer else { continue }
                    guard ["ok", "usual", "safe"].contains(answer) || answer.hasPrefix("{") else {
                        throw Unexpected(command: asked, answer: answer)
                    }
                    answers.append((asked, answer))
                } catch Peer.Failure.ended {
                    dead.insert(command.process)
                    answers.append((asked, nil))
                }
            }
            return answers
        }

        private func line(_ command: SuiteCommand) -> String { command.line.replacing("@", with: parent) }

        private mutating func note(
            _ answers: [(command: SuiteCommand, answer: String?)], _ peers: [Peer],
            _ steps: ArraySlice<FolderStep>
        ) throws {
            var said: [Int32: [FolderStep]] = [:]
            for step in steps {
                if case .answer(let process, _) = step.event { said[process, default: []].append(step) }
            }
            for (command, answer) in answers {
                let changed = Set(try possible.map { settings in try command.apply(to: settings) })
                guard let answer else {
                    possible.formUnion(changed)
                    commands.append(Recording.Command(command: command, answered: nil, possible: possible))
                    continue
                }
                possible = try Run.agreeing(changed, with: answer)
                let process = peers[command.process].processID
                guard let step = said[process]?.first, !possible.isEmpty else {
                    throw Unexpected(command: command, answer: answer)
                }
                said[process]?.removeFirst()
                commands.append(
                    Recording.Command(command: command, answered: step.number, possible: possible))
            }
        }

        /// Those of some possible values that an answer with all values leaves.
        private static func agreeing(
            _ possible: Set<StoredSettings>, with answer: String
        ) throws -> Set<StoredSettings> {
            guard answer.hasPrefix("{") else { return possible }
            let members = try StoredValue(validating: Array(answer.utf8)).value.object ?? DefaultsObject([])
            let seen = StoredSettings(members.map { ($0.key, $0.value) }) { _, last in last }
            return possible.filter { $0 == seen }
        }
    }
}
