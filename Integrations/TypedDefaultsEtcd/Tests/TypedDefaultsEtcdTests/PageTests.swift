/// The code of the pages about this package compiles.
import Foundation
import Testing

@Suite(
    .enabled(
        if: FileManager.default.fileExists(atPath: "/proc/self/exe"), "The modules stand beside the tests."),
    .timeLimit(.minutes(5)))
struct PageTests {
    /// The guide stands in the library's repository, and is absent where this package has one of its own.
    private static let pages =
        ["README.md"]
        + (isInTheLibrary
            ? ["../../Sources/TypedDefaults/TypedDefaults.docc/SettingsForManyMachines.md"] : [])

    @Test(arguments: pages)
    func `the code of a page compiles`(page: String) async throws {
        let folder = try TestFolder()
        let code = try program(of: packageRoot.appending(path: page))
        try #require(code.contains("import TypedDefaultsEtcd"))
        try Data(code.utf8).write(to: URL(filePath: folder.path).appending(path: "main.swift"))
        let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let maps = try moduleMaps(products).flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
        try await Command.run(
            "swiftc",
            ["-typecheck", "-swift-version", "6", "-I", products.appending(path: "Modules").path] + maps
                + ["\(folder.path)/main.swift"])
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

/// The Swift of a page from top to bottom, each line where it stands on the page.
private func program(of page: URL) throws -> String {
    var isCode = false
    return try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n").map { line in
        if line.hasPrefix("```") {
            isCode = line == "```swift"
            return ""
        }
        return isCode ? line : ""
    }.joined(separator: "\n")
}
