/// Pictures show what was measured, and what programs print now.
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

    @Test(
        .enabled(if: hasPython, "The charts are drawn by Python 3."),
        arguments: [
            ([], "Documentation/Images/ratios.svg"),
            (["--long"], "Sources/TypedDefaults/TypedDefaults.docc/Resources/costs.svg"),
        ])
    func `a chart is drawn from the kept figures`(_ options: [String], _ path: String) throws {
        let script = packageRoot.appending(path: "Benchmarks/chart").path
        let drawn = try Tool.run("python3", [script, images.appending(path: "ratios.json").path] + options)
        let kept = try String(contentsOf: packageRoot.appending(path: path), encoding: .utf8)
        #expect(drawn == Tool(status: 0, output: kept))
    }

    @Test(.enabled(if: hasPython, "The picture is drawn by Python 3."))
    func `the moving picture is what a program prints that is killed and started again`() throws {
        let script = packageRoot.appending(path: "Documentation/story").path
        let drawn = try Tool.run("python3", [script, productFolder().path])
        let kept = try String(contentsOf: images.appending(path: "story.svg"), encoding: .utf8)
        #expect(drawn == Tool(status: 0, output: kept))
    }
}

private let hasPython: Bool = {
    do { return try Tool.run("python3", ["--version"]).status == 0 } catch { return false }
}()

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
