import Foundation

/// How a program that was run to its end left, and what it printed.
struct Program: Equatable {
    let status: Int32
    let output: String

    /// Runs a program found on the search path.
    @discardableResult
    static func run(_ name: String, _ arguments: [String]) throws -> Program {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Program(status: process.terminationStatus, output: String(decoding: bytes, as: UTF8.self))
    }
}
