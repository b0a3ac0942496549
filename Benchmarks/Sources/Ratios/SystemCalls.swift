import Foundation
import Measuring

extension Bench {
    /// The system calls of one get.
    func systemCallsOfGet() throws -> Row {
        let calls = try callsPerOperation("get")
        return Row(
            item: 11, what: "system calls of an unchanged get\(names(calls))",
            ours: .count(calls.values.reduce(0, +), "calls"), peer: nil, goal: .limit(0))
    }

    /// The system calls of one set that nobody observes, beyond those that lock, look, write and unlock.
    func systemCallsOfSet() throws -> Row {
        let calls = try callsPerOperation("set")
        let needed: Set = [
            "flock", "pread64", "pwrite64", "write", "fstat", "newfstatat", "statx", "getpid", "geteuid",
        ]
        let others = calls.filter { !needed.contains($0.key) }.values.reduce(0, +)
        return Row(
            item: 6, what: "system calls of a set that serve observers, of all its calls",
            ours: .count(others, "of \(decimal(calls.values.reduce(0, +), 0)) calls"), peer: nil,
            goal: .limit(0))
    }

    private func names(_ calls: [String: Double]) -> String {
        calls.sorted { $0.key < $1.key }.map { " \($0.key) \(decimal($0.value, 0))" }.joined()
    }

    /// What a run of many makes more than a run of few, for each call that every operation makes.
    private func callsPerOperation(_ role: String) throws -> [String: Double] {
        let (few, many) = (try calls(role, 1000), try calls(role, 3000))
        return many.mapValues { Double($0) }.merging(few.mapValues { -Double($0) }, uniquingKeysWith: +)
            .mapValues { ($0 / 2000).rounded() }.filter { $0.value > 0 }
    }

    /// The calls that the process's first thread makes.
    private func calls(_ role: String, _ count: Int) throws -> [String: Int] {
        let parent = try makeSuite("traced", keys: 10, in: "traced")
        let output = parent + "/calls"
        let arguments = ["-qq", "-o", output, path("peer-ours"), role, parent, "traced", "\(count)"]
        try Child("/usr/bin/strace", arguments, environment: environment(home: parent)).finish()
        let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
        return lines.reduce(into: [:]) { counts, line in
            counts[String(line.prefix { $0 != "(" }), default: 0] += 1
        }
    }
}
