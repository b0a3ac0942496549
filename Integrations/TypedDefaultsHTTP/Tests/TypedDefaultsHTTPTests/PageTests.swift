/// The code of the pages about this package, and of its doc comments, compiles.
import Foundation
import Testing

@Suite(
    .enabled(
        if: FileManager.default.fileExists(atPath: "/proc/self/exe"), "The modules stand beside the tests."),
    .timeLimit(.minutes(10)))
struct PageTests {
    /// The guide stands in the library's repository, and is absent where this package has one of its own.
    private static let pages =
        ["README.md", "Sources/TypedDefaultsHTTP/HTTPDefaultValueSource.swift"]
        + (isInTheLibrary ? ["../../Sources/TypedDefaults/TypedDefaults.docc/DefaultsFromAServer.md"] : [])

    @Test(arguments: pages)
    func `the code of a page compiles`(page: String) throws {
        let folder = try TestFolder()
        let code = try program(of: packageRoot.appending(path: page))
        try #require(code.contains("HTTPDefaultValueSource"))
        let imports = page.hasSuffix(".md") ? "" : "import TypedDefaults; import TypedDefaultsHTTP"
        try Data((imports + code).utf8).write(to: URL(filePath: folder.path).appending(path: "main.swift"))
        let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let maps = try moduleMaps(products).flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
        let compiler = try Tool.run(
            "swiftc",
            ["-typecheck", "-swift-version", "6", "-I", products.appending(path: "Modules").path] + maps
                + ["\(folder.path)/main.swift"])
        #expect(compiler.status == 0, "\(compiler.output)")
    }
}

/// Whether this package is a folder of the library's repository, and not just of somebody's package.
private let isInTheLibrary = FileManager.default.fileExists(
    atPath: packageRoot.appending(path: "../../Sources/CTypedDefaults").path)

/// The module maps of the C modules below the client, which the compiler asks for with its Swift modules.
private func moduleMaps(_ products: URL) throws -> [URL] {
    let checkouts = products.deletingLastPathComponent().deletingLastPathComponent().appending(
        path: "checkouts")
    let written = try contents(of: checkouts).map { $0.appending(path: "Sources") }.flatMap(contents)
        .map { $0.appending(path: "include/module.modulemap") }
    let made = try contents(of: products)
        .filter { $0.pathExtension == "build" && !$0.lastPathComponent.hasSuffix("-tool.build") }
        .map { $0.appending(path: "module.modulemap") }
    let ours = packageRoot.appending(path: "../../Sources/CTypedDefaults/include/module.modulemap")
    return (written + made + [ours]).filter { FileManager.default.fileExists(atPath: $0.path) }
}

/// What is in a folder; nothing where it is none.
private func contents(of folder: URL) throws -> [URL] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue
    else {
        return []
    }
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
}

private let packageRoot = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

/// The Swift of a page or of a file's comments from top to bottom, each line where it stands there.
private func program(of page: URL) throws -> String {
    let mark = page.pathExtension == "swift" ? "/// " : ""
    var isCode = false
    return try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n").map { line in
        let line = mark.isEmpty ? line : String(line.drop { $0 == " " })
        guard line.hasPrefix(mark) || line == "///" else { return "" }
        let text = String(line.dropFirst(mark.count))
        if text.hasPrefix("```") {
            isCode = text == "```swift"
            return ""
        }
        return isCode ? text : ""
    }.joined(separator: "\n")
}
