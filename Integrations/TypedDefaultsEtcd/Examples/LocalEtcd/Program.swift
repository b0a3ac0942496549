import Foundation
import Synchronization

/// A process that is spoken to in lines; it ends when nobody speaks to it any more.
package final class Program: Sendable {
    private let process = Process()
    private let input: Pipe
    private let output: Pipe
    private let unread = Mutex(Data())

    /// Starts a program with its errors on our own standard error.
    ///
    /// - Parameter environment: what differs from ours.
    package init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let process = process
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        (input, output) = try Children.start(process) {
            let (input, output) = (Pipe(), Pipe())
            (process.standardInput, process.standardOutput) = (input, output)
            return (input, output)
        }
    }

    /// Starts this very program again.
    package static func again(_ arguments: [String], environment: [String: String]) throws -> Program {
        guard let path = Bundle.main.executablePath else { throw Refusal("this program has no path") }
        return try Program(path, arguments, environment: environment)
    }

    package var id: Int32 { process.processIdentifier }

    /// Writes a line to its standard input.
    package func tell(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Waits for the next line of its standard output; only one thread may.
    package func next() throws -> String {
        while true {
            if let line = unread.withLock({ Program.takeLine(from: &$0) }) { return line }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Refusal("process \(id) has ended") }
            unread.withLock { $0 += more }
        }
    }

    private static func takeLine(from unread: inout Data) -> String? {
        guard let end = unread.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { unread = Data(unread[unread.index(after: end)...]) }
        return String(decoding: unread[..<end], as: UTF8.self)
    }

    /// Reads all that follows and drops it, until it ends; nothing is read by `next()` any more.
    ///
    /// Not by a handler for what can be read: now and then a run of the tests crashed in Dispatch's own event loop with
    /// one, most likely since Foundation closes the pipe while Dispatch still listens to it.
    package func ignoreTheRest() {
        let output = output.fileHandleForReading
        Thread.detachNewThread { while !output.availableData.isEmpty {} }
    }

    /// Closes its input and waits for its end.
    package func end() {
        input.fileHandleForWriting.closeFile()
        process.waitUntilExit()
    }
}
