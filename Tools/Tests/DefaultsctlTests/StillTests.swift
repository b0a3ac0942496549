/// The picture of the tool on a terminal shows what it prints now.
import Foundation
import Testing

@Suite struct StillTests {
    private let documentation = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Documentation")

    @Test(
        .enabled(if: hasPython, "The pictures are drawn by Python 3."),
        arguments: [("light", "defaultsctl.svg"), ("dark", "defaultsctl-dark.svg")])
    func `the picture of read and watch is what they print`(_ scheme: String, _ name: String) throws {
        let script = documentation.appending(path: "still").path
        let drawn = try Workplace().shell("'\(script)' '\(Workplace.tool.get())' \(scheme)")
        #expect(drawn.errors == "")
        let kept = try String(contentsOf: documentation.appending(path: "Images/\(name)"), encoding: .utf8)
        #expect(drawn.output == kept)
    }
}

private let hasPython: Bool = {
    do { return try Workplace().shell("python3 --version").status == 0 } catch { return false }
}()
