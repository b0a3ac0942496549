// Measures the ratios that are set out for the library, and prints them as a table. `Benchmarks/ratios` starts it.
import Foundation
import TypedDefaults

guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
    print(
        """
        usage: ratios --folder FOLDER [--rounds N] [--items 1,2] [--instructions FILE] [--markdown]
                      [--numbers FILE --command TEXT --machine TEXT]
        """)
    exit(2)
}

let bench = try Bench(folder: options.folder, rounds: options.rounds)
let groups: [(items: Set<Int>, measure: () throws -> [Row])] = [
    ([9, 10], bench.newProcesses),
    ([1, 2], { try options.instructions.map { try InstructionCounts(path: $0).rows() } ?? [] }),
    ([1, 2, 3], bench.hotReads),
    ([4], bench.contendedReads),
    ([5], bench.firstReads),
    ([6, 7], bench.sets),
    ([6], { [try bench.systemCallsOfSet()] }),
    ([8], bench.durableSets),
    ([11], bench.betweenProcesses),
    ([12], bench.lostUpdates),
]

var rows: [Row] = []
for (items, measure) in groups where !items.isDisjoint(with: options.items) {
    rows += try measure()
}
let sorted = rows.enumerated().sorted { ($0.1.item, $0.0) < ($1.1.item, $1.0) }.map(\.element)
let table = Table(sorted)
print(options.isMarkdown ? table.markdown : table.text)
if let path = options.numbers {
    try Numbers(sorted, command: options.command, machine: options.machine).write(to: path)
}
let holding = rows.count { $0.holds == true }
print(
    """

    \(holding) of \(rows.count { $0.holds != nil }) hold. Medians of up to \(options.rounds) alternating rounds; in brackets, what a tenth
    of the rounds stayed below and what a tenth exceeded.
    """)
