/// The picture of the tool on a terminal shows what it prints now.
import Foundation
import Testing

@Suite struct StillTests {
    private let documentation = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Documentation")

    @Test(.enabled(if: hasPython, "The picture is drawn by Python 3."))
    func `the picture of explain and watch is what they print`() throws {
        let script = documentation.appending(path: "still").path
        let drawn = try Workplace().shell("'\(script)' '\(Workplace.tool.get())'")
        #expect(drawn.errors == "")
        let kept = try String(
            contentsOf: documentation.appending(path: "Images/defaultsctl.svg"), encoding: .utf8)
        #expect(drawn.output == kept)
    }
}

private let hasPython: Bool = {
    do { return try Workplace().shell("python3 --version").status == 0 } catch { return false }
}()
