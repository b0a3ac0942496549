/// The pictures are drawn from what is kept beside them, and the table of results is of the same run.
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: hasPython, "The pictures are drawn by Python 3."), .ownThread)
struct PictureTests {
    private let chart = packageRoot.appending(path: "Benchmarks/chart").path
    private let images = packageRoot.appending(path: "Documentation/Images")

    @Test func `the chart of the README shows the figures that are kept beside it`() throws {
        let drawn = try Tool.run(chart, [images.appending(path: "ratios.json").path])
        #expect(drawn.status == 0)
        let kept = try String(contentsOf: images.appending(path: "ratios.svg"), encoding: .utf8)
        #expect(drawn.output == kept)
    }

    @Test func `the table of results has the figures that the chart is drawn from`() throws {
        let kept = try Data(contentsOf: images.appending(path: "ratios.json"))
        let rows = try JSONDecoder().decode(Run.self, from: kept).rows
        let results = packageRoot.appending(path: "Benchmarks/RESULTS.md")
        let table = try String(contentsOf: results, encoding: .utf8)
        #expect(rows.count > 40)
        let missing = rows.filter { !table.contains("\n| \($0.item) | \($0.what) | \($0.median)") }
        #expect(missing.map(\.what) == [])
    }

    @Test func `a chart is not drawn where a figure is missing`() throws {
        let folder = try TemporaryFolder()
        let whole = try String(contentsOf: images.appending(path: "ratios.json"), encoding: .utf8)
        let part = whole.replacing("get a Double / UserDefaults", with: "something else")
        try folder.write(part, to: "part.json")
        let drawn = try Tool.run(chart, ["\(folder.path)/part.json"])
        #expect(drawn.status == 1)
        #expect(drawn.output == "\(folder.path)/part.json lacks: get a Double / UserDefaults\n")
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

private let hasPython: Bool = {
    do { return try Tool.run("python3", ["--version"]).status == 0 } catch { return false }
}()
