/// The code of this package's page, and of its doc comments, compiles.
import Foundation
import Testing

@Suite(
    .enabled(
        if: FileManager.default.fileExists(atPath: "/proc/self/exe"), "The modules stand beside the tests."),
    .timeLimit(.minutes(5)))
struct PageTests {
    @Test(arguments: ["README.md", "DefaultsService.swift"])
    func `the code of a page compiles`(page: String) throws {
        let folder = try TestFolder()
        let path = page.hasSuffix(".md") ? page : "Sources/TypedDefaultsService/\(page)"
        var code = try program(of: packageRoot.appending(path: path))
        try #require(code.contains("DefaultsService"))
        if !code.contains("import ") {
            code =
                "import Logging; import ServiceLifecycle; import TypedDefaults; import TypedDefaultsService"
                + code
        }
        try Data(code.utf8).write(to: URL(filePath: folder.path).appending(path: "main.swift"))
        let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        let maps = moduleMaps(products).flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
        compiler.arguments =
            ["swiftc", "-typecheck", "-swift-version", "6", "-I", products.appending(path: "Modules").path]
            + maps + ["\(folder.path)/main.swift"]
        try compiler.run()
        compiler.waitUntilExit()
        #expect(compiler.terminationStatus == 0, "the errors stand above, with the lines of \(page)")
    }
}

/// The module map of the library's C module, which the compiler asks for with its Swift modules.
///
/// The library is above this package, or, where the package has a repository of its own, among what that depends on.
private func moduleMaps(_ products: URL) -> [URL] {
    let above = packageRoot.appending(path: "../..").standardizedFileURL
    let checkout = products.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "checkouts/TypedDefaults")
    return [above, checkout].map { $0.appending(path: "Sources/CTypedDefaults/include/module.modulemap") }
        .filter { FileManager.default.fileExists(atPath: $0.path) }
}

private let packageRoot = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

/// The Swift of a page or of a file's comments from top to bottom, each line where it stands there.
private func program(of page: URL) throws -> String {
    let mark = page.pathExtension == "swift" ? "/// " : ""
    var isCode = false
    return try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n").map { line in
        guard line.hasPrefix(mark) || line == "///" else { return "" }
        let text = String(line.dropFirst(mark.count))
        if text.hasPrefix("```") {
            isCode = text == "```swift"
            return ""
        }
        return isCode ? text : ""
    }.joined(separator: "\n")
}
