/// The guide's pictures show what the screen shows now.
import Foundation
import Testing

@Suite(
    .enabled(
        if: FileManager.default.fileExists(atPath: "/proc/self/exe"), "The program stands beside the tests."),
    .timeLimit(.minutes(5)))
struct PictureTests {
    @Test(
        .enabled(if: hasPython, "The pictures are drawn by Python 3."),
        arguments: ["list", "edit", "conflict", "small"])
    func `a picture of the guide is what the terminal shows`(_ name: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let player = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "player")
        let drawn = try output(of: [root.appending(path: "Documentation/screens").path, player.path, name])
        let kept = root.appending(
            path: "Sources/TypedDefaults/TypedDefaults.docc/Resources/screen-\(name).svg")
        #expect(try drawn == String(contentsOf: kept, encoding: .utf8))
    }
}

private let hasPython: Bool = {
    do { return try output(of: ["python3", "--version"]).hasPrefix("Python 3") } catch { return false }
}()

private func output(of words: [String]) throws -> String {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.standardOutput = pipe
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
}
