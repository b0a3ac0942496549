// Measures what the library costs under load and over time, each row beside its control, and prints a table.
// `Benchmarks/scale` starts it; it starts itself once more for each process that a row has.
import Foundation
import Measuring

let words = Array(CommandLine.arguments.dropFirst())
if words.first == Stage.wordOfPart {
    try await Part(words.dropFirst().map { $0 }).play()
    exit(0)
}
guard let options = Options(words) else {
    print(
        """
        usage: scale --folder FOLDER [--rows NAME,NAME] [--seconds S] [--quick] [--markdown]
        rows: \(RowGroup.allCases.map(\.rawValue).joined(separator: ", "))
        """)
    exit(2)
}

let stage = Stage(folder: options.folder, extent: options.extent)
var rows: [Row] = []
for group in RowGroup.allCases where options.groups.contains(group) {
    let measured = try group.measure(on: stage)
    for row in measured where !row.isMeasured { throw SystemFailure(waitingFor: "a figure of: \(row.what)") }
    guard !measured.isEmpty else { throw SystemFailure(waitingFor: "rows of \(group.rawValue)") }
    rows += measured
    FileHandle.standardError.write(Data("measured: \(group.rawValue)\n".utf8))
}
let table = TextTable(["what", "here", "control", "", "ratio"], rows.map(\.cells))
print(options.isMarkdown ? table.markdown : table.text)
