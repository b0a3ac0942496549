/// What the house rules forbid stands nowhere in this tree, and the script that says so can tell.
import Foundation
import Testing

@Suite struct ForbiddenPatternTests {
    @Test func `nothing forbidden stands in the tree`() throws {
        let said = try Tool.run(packageRoot.appending(path: ".ci/forbidden").path, [packageRoot.path])
        #expect(said == Tool(status: 0, output: ""))
    }

    @Test func `each forbidden thing is found where it is planted`() throws {
        let said = try Tool.run(packageRoot.appending(path: ".ci/forbidden.test").path, [])
        #expect(said.status == 0, "\(said.output)")
    }
}

/// The folder of Package.swift.
let packageRoot = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

/// How a program that was run to its end left, and all it printed.
struct Tool: Equatable {
    let status: Int32
    let output: String

    /// Runs a program found on the search path, or by its own path, with nothing to read.
    static func run(_ program: String, _ arguments: [String]) throws -> Tool {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Tool(status: process.terminationStatus, output: String(decoding: bytes, as: UTF8.self))
    }
}
