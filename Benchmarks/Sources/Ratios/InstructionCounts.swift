import Foundation

/// The instructions that `Benchmarks/instructions` has counted, by the name of the path.
struct InstructionCounts {
    private let counts: [String: Double]

    /// Reads a file of lines such as `get-double 36`.
    init(path: String) throws {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        counts = lines.reduce(into: [:]) { counts, line in
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            if words.count == 2, let count = Double(words[1]) { counts[String(words[0])] = count }
        }
    }

    /// Items 1 and 2, as far as they are about instructions.
    func rows() -> [Row] {
        [(1, "get-double", 40.0), (2, "get-string", 120.0)].compactMap { item, path, most in
            guard let count = counts[path] else { return nil }
            return Row(
                item: item, what: "instructions of \(path)", ours: .count(count, "instructions"), peer: nil,
                goal: .limit(most))
        }
    }
}
