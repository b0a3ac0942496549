/// The pictures are drawn from what is kept beside them.
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

private let hasPython: Bool = {
    do { return try Tool.run("python3", ["--version"]).status == 0 } catch { return false }
}()
