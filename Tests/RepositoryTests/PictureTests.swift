/// The table of results is of the run that the chart is drawn from.
import Foundation
import TestSupport
import Testing

@Suite(.ownThread)
struct PictureTests {
    private let images = packageRoot.appending(path: "Documentation/Images")

    @Test func `the table of results has the figures that the chart is drawn from`() throws {
        let kept = try Data(contentsOf: images.appending(path: "ratios.json"))
        let rows = try JSONDecoder().decode(Run.self, from: kept).rows
        let results = packageRoot.appending(path: "Benchmarks/RESULTS.md")
        let table = try String(contentsOf: results, encoding: .utf8)
        #expect(rows.count > 40)
        let missing = rows.filter { !table.contains("\n| \($0.item) | \($0.what) | \($0.median)") }
        #expect(missing.map(\.what) == [])
    }
}

/// The figures of a run, as `Benchmarks/ratios` keeps them.
private struct Run: Decodable {
    let rows: [Row]

    struct Row: Decodable {
        let item: Int
        let what: String
        let oursText: String

        /// The figure without the spread in brackets.
        var median: Substring { oursText.split(separator: " (").first ?? "" }
    }
}
