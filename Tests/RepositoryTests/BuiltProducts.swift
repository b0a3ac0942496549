import Foundation

/// The folder of Package.swift.
let packageRoot = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

/// The folder of the running test executable, where the package's other products are.
func productFolder() throws -> URL {
    let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(filePath: executable).deletingLastPathComponent()
}

/// The options with which a compiler finds the package's modules.
func moduleOptions() throws -> [String] {
    [
        "-I", try productFolder().appending(path: "Modules").path,
        "-I", packageRoot.appending(path: "Sources/CTypedDefaults/include").path,
    ]
}

/// The object files of a target's present sources, to link a program of a test's own with.
///
/// - Parameter folder: where its sources are, if not in `Sources`.
func objectFiles(of target: String, in folder: String? = nil) throws -> [String] {
    // A build folder keeps the objects of sources that are gone.
    let sources = try FileManager.default
        .subpathsOfDirectory(atPath: packageRoot.appending(path: folder ?? "Sources/\(target)").path)
        .map { URL(filePath: $0).lastPathComponent + ".o" }
    return try FileManager.default
        .contentsOfDirectory(
            at: productFolder().appending(path: "\(target).build"), includingPropertiesForKeys: nil
        )
        .filter { sources.contains($0.lastPathComponent) }.map(\.path)
}
