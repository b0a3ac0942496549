/// What the programs that tests start have of this one.
import Foundation
import LocalEtcd
import Testing

@Suite(
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "Nobody says what files are open."),
    .timeLimit(.minutes(2)))
struct ChildrenTests {
    /// Says where its standard input and output lead to, and then where each of its files does, and stays.
    private static let look = """
        exec 2>/dev/null; readlink /proc/$$/fd/0; readlink /proc/$$/fd/1
        for file in /proc/$$/fd/*; do readlink $file; done; echo end; read _
        """

    /// Starts programs on a thread of their own.
    private static func start(_ count: Int) async throws -> [Program] {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try (0..<count).map { _ in try Program("/bin/sh", ["-c", look]) } })
            }
        }
    }

    @Test func `programs that start at one time have no pipe of each other`() async throws {
        var programs: [Program] = []
        // None ends before all have begun: a pipe with a number that was somebody's before is not handed on.
        try await withThrowingTaskGroup(of: [Program].self) { group in
            for _ in 0..<8 { group.addTask { try await ChildrenTests.start(25) } }
            for try await some in group { programs += some }
        }
        var (own, all): ([Set<String>], [Set<String>]) = ([], [])
        for program in programs {
            own.append([try program.next(), try program.next()])
            var files: Set<String> = []
            while case let line = try program.next(), line != "end" { files.insert(line) }
            all.append(files)
        }
        let everyones = Set(own.joined())
        for (own, all) in zip(own, all) { #expect(all.intersection(everyones) == own) }
        // One that waits for another's pipe would wait for ever.
        for program in programs { kill(program.id, SIGKILL) }
        for program in programs { program.end() }
    }
}
