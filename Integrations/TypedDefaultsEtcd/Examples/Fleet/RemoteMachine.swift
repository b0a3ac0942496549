import Foundation
import LocalEtcd

/// A machine as the story sees it: a process with a settings folder of its own.
final class RemoteMachine {
    let name: String
    private let program: Program
    /// What it said while it was asked for something else.
    private var waiting: [String] = []

    /// Starts it.
    init(_ name: String, folder: String, endpoint: String, takesLocked: Bool = false) throws {
        self.name = name
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        program = try Program.again(
            ["machine", endpoint, takesLocked ? "locked" : "free"], environment: ["XDG_CONFIG_HOME": folder])
    }

    /// Waits for its next change, which has to be this one: a half one before it would be the next.
    func hears(_ state: String, since moment: Moment? = nil) throws {
        let words = try event("heard").split(separator: " ", maxSplits: 1).map(String.init)
        guard let first = words.first, let nanoseconds = UInt64(first), words.last == state else {
            throw Refusal("\(name) should hear \(state), and hears \(words.last ?? "nothing")")
        }
        let delay = moment.map { Moment(nanoseconds: nanoseconds).milliseconds(since: $0) }
        let suffix = delay.map { ", " + String(format: "%.1f", $0) + " ms after the put" } ?? ""
        say("   \(name) hears: \(state)\(suffix)")
    }

    /// Waits for a failure to be told.
    func isTold() throws { say("   \(name) is told: \(try event("told"))") }

    /// What a person at the machine does.
    func does(_ command: String) throws {
        say("   \(name) $ \(command)")
        try program.tell(command)
        while case let line = try program.next(), line != "done" {
            if let answer = rest(of: line, "answer") { say("     \(answer)") } else { waiting.append(line) }
        }
    }

    func end() { program.end() }

    /// The next line of a kind; those of others are dropped, since they are about something the story is past.
    private func event(_ kind: String) throws -> String {
        while true {
            let line = waiting.isEmpty ? try program.next() : waiting.removeFirst()
            if let rest = rest(of: line, kind) { return rest }
        }
    }

    private func rest(of line: String, _ kind: String) -> String? {
        line.hasPrefix(kind + " ") ? String(line.dropFirst(kind.count + 1)) : nil
    }
}
