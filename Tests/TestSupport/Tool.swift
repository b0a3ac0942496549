import Foundation

/// How a program that was run to its end left, and all it printed.
package struct Tool: Equatable {
    package let status: Int32
    package let output: String

    /// What a program is expected to leave.
    package init(status: Int32, output: String) {
        self.status = status
        self.output = output
    }

    private static let starting = NSLock()

    /// Starts another program while nobody else does: Foundation's pipes are inherited by what another thread starts
    /// meanwhile, which then keeps them open.
    package static func startingAlone<Started>(_ start: () throws -> Started) rethrows -> Started {
        try starting.withLock(start)
    }

    /// Runs a program found on the search path, or by its own path, with nothing to read.
    @discardableResult
    package static func run(_ program: String, _ arguments: [String]) throws -> Tool {
        let process = Process()
        // As in `startingAlone`.
        starting.lock()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        do {
            defer { starting.unlock() }
            try process.run()
        }
        let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Tool(status: process.terminationStatus, output: String(decoding: bytes, as: UTF8.self))
    }
}
