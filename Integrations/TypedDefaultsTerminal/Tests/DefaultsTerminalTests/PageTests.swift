/// The code of this package's page, and of its doc comments, compiles.
import Foundation
import Testing

@Suite(
    .enabled(
        if: FileManager.default.fileExists(atPath: "/proc/self/exe"), "The modules stand beside the tests."),
    .timeLimit(.minutes(5)))
struct PageTests {
    @Test(arguments: [
        "README.md", "Sources/DefaultsTerminal/DefaultsTerminal.swift",
        "../../Sources/TypedDefaults/TypedDefaults.docc/SettingsScreen.md",
    ])
    func `the code of a page compiles`(page: String) throws {
        let path = packageRoot.appending(path: page)
        // Where the package has a repository of its own, the guide is in another one.
        guard !page.hasPrefix("..") || FileManager.default.fileExists(atPath: path.path) else { return }
        let place = try Place()
        var code = try program(of: path)
        try #require(code.contains("DefaultsTerminal.run"))
        if !code.contains("import ") { code = "import TypedDefaults; import DefaultsTerminal;" + code }
        try Data(code.utf8).write(to: URL(filePath: place.path + "/main.swift"))
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        let maps = moduleMaps().flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
        compiler.arguments =
            [
                "swiftc", "-typecheck", "-swift-version", "6", "-I",
                Player.products.appending(path: "Modules").path,
            ]
            + maps + [place.path + "/main.swift"]
        try compiler.run()
        compiler.waitUntilExit()
        #expect(compiler.terminationStatus == 0, "the errors stand above, with the lines of \(page)")
    }
}

/// The module map of the library's C module, which the compiler asks for with its Swift modules.
///
/// The library is above this package, or, where the package has a repository of its own, among what that depends on.
private func moduleMaps() -> [URL] {
    let above = packageRoot.appending(path: "../..").standardizedFileURL
    let checkout = Player.products.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "checkouts/TypedDefaults")
    return [above, checkout].map { $0.appending(path: "Sources/CTypedDefaults/include/module.modulemap") }
        .filter { FileManager.default.fileExists(atPath: $0.path) }
}

private let packageRoot = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

/// The Swift of a page or of a file's comments from top to bottom, each line where it stands there.
private func program(of page: URL) throws -> String {
    let isSource = page.pathExtension == "swift"
    let mark = isSource ? "/// " : ""
    var isCode = false
    return try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n").map { line in
        let line = isSource ? String(line.drop { $0 == " " }) : line
        guard line.hasPrefix(mark) || line == "///" else { return "" }
        let text = String(line.dropFirst(mark.count))
        if text.hasPrefix("```") {
            isCode = text == "```swift"
            return ""
        }
        return isCode ? text : ""
    }.joined(separator: "\n")
}
