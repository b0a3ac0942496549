import Foundation
import Synchronization
import Testing

/// `configuration-peer` as a process of its own.
final class Peer: Sendable {
    // Starts one after the other, because a pipe that another thread makes meanwhile would be inherited.
    private static let turn = Mutex(())
    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())
    private let unread = Mutex(Data())

    init(_ words: String...) throws {
        let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.executableURL = tests.deletingLastPathComponent().appending(path: "configuration-peer")
        process.arguments = words
        (process.standardInput, process.standardOutput) = (input, output)
        try Peer.turn.withLock { _ in try process.run() }
    }

    /// Runs one to its end.
    static func run(_ words: String...) throws {
        let peer = try Peer(words[0], words[1], words[2], words[3])
        peer.process.waitUntilExit()
        #expect(peer.process.terminationStatus == 0)
    }

    /// Waits for the next line that it prints.
    func next() throws -> String {
        while true {
            let line = unread.withLock { unread -> String? in
                guard let end = unread.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
                defer { unread = Data(unread[unread.index(after: end)...]) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            if let line { return line }
            try #require(prints(within: 120), "the peer has printed nothing")
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty, "the peer has ended")
            unread.withLock { $0 += more }
        }
    }

    /// Waits until it prints something.
    ///
    /// - Returns: false if it has printed nothing in this time.
    func prints(within seconds: Int32) -> Bool {
        var wanted = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&wanted, 1, seconds * 1_000) > 0
    }

    /// How often each of its threads has been given a processor.
    func turns() throws -> [String: Int] {
        let tasks = "/proc/\(process.processIdentifier)/task"
        var turns: [String: Int] = [:]
        for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
            let status = try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
            turns[task] = status.split(separator: "\n").filter { $0.contains("ctxt_switches") }
                .compactMap { $0.split(separator: "\t").last.flatMap { Int($0) } }.reduce(0, +)
        }
        return turns
    }

    /// The turns since then of those threads that have had one.
    func turns(since before: [String: Int]) throws -> [Int] {
        try turns().map { $0.value - before[$0.key, default: 0] }.filter { $0 > 0 }
    }

    func end() {
        input.fileHandleForWriting.closeFile()
        process.waitUntilExit()
    }
}
