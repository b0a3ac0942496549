import Foundation
import LocalEtcd

/// A program that is run to its end.
enum Command {
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    /// Whether a program can be found.
    static func isInstalled(_ name: String) -> Bool { path(name) != nil }

    static func path(_ name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs a program and gives what it wrote.
    ///
    /// - Throws: what it said where it failed.
    @discardableResult
    static func run(_ name: String, _ arguments: [String], input: Data = Data()) async throws -> String {
        guard let path = path(name) else { throw Failed(description: "\(name) is not installed") }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        let (stdin, output) = try Children.start(process) {
            let (stdin, output) = (Pipe(), Pipe())
            (process.standardInput, process.standardOutput, process.standardError) = (stdin, output, output)
            return (stdin, output)
        }
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                DispatchQueue.global().async {
                    stdin.fileHandleForWriting.write(input)
                    stdin.fileHandleForWriting.closeFile()
                }
                let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                process.waitUntilExit()
                guard process.terminationStatus == 0 else {
                    let failure = Failed(description: "\(name) \(arguments.joined(separator: " ")): \(text)")
                    return continuation.resume(throwing: failure)
                }
                continuation.resume(returning: text)
            }
        }
    }
}
