/// The code of this package's page, and of its doc comments, compiles.
import Foundation
import Testing

@Suite(
    .enabled(
        if: FileManager.default.fileExists(atPath: "/proc/self/exe"), "The modules stand beside the tests."),
    .timeLimit(.minutes(5)))
struct PageTests {
    @Test(arguments: ["README.md", "Option+Key.swift", "DefaultsOptions.swift"])
    func `the code of a page compiles`(page: String) throws {
        let place = try Workplace()
        let path = page.hasSuffix(".md") ? page : "Sources/TypedDefaultsArgumentParser/\(page)"
        var code = try program(of: packageRoot.appending(path: path))
        try #require(code.contains("struct Play"))
        if !code.contains("import ") { code = keys + code }
        try Data(code.utf8).write(to: place.home.appending(path: "main.swift"))
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        let maps = moduleMaps().flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
        compiler.arguments =
            [
                "swiftc", "-typecheck", "-swift-version", "6", "-I",
                testProducts.appending(path: "Modules").path,
            ]
            + maps + [place.home.appending(path: "main.swift").path]
        try compiler.run()
        compiler.waitUntilExit()
        #expect(compiler.terminationStatus == 0, "the errors stand above, with the lines of \(page)")
    }
}

/// What the doc comments leave to the page, on one line, so that theirs keep their numbers.
private let keys =
    "import ArgumentParser; import TypedDefaults; import TypedDefaultsArgumentParser; extension Defaults.Keys {"
    + #" static let volume = Key<Double>("volume", default: 0.5);"#
    + #" static let verbose = Key<Bool>("verbose", default: false);"#
    + #" static let token = OptionalKey<String>("token", secret: true) };"#

/// The module map of the library's C module, which the compiler asks for with its Swift modules.
///
/// The library is above this package, or, where the package has a repository of its own, among what that depends on.
private func moduleMaps() -> [URL] {
    let above = packageRoot.appending(path: "../..").standardizedFileURL
    let checkout = testProducts.deletingLastPathComponent().deletingLastPathComponent()
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
