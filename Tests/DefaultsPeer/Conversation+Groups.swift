import DefaultsStore
import Libc
import Synchronization
import TypedDefaults

/// Threads that write, or wait for the disk, at the same time.
extension Conversation {
    /// Obeys a command about them; nil where it is none.
    func groups(_ command: Command) throws -> String? {
        switch command.verb {
        case "synchronizers": try synchronize(onThreads: try command.number(0))
        default: return nil
        }
        return "ok"
    }

    /// `synchronizers <n>`: so many threads each set a key of their own, and wait for the disk.
    private func synchronize(onThreads count: Int) throws {
        let (suite, outcomes) = (suite, Outcomes(count))
        for thread in 0..<count {
            try startThread {
                outcomes.note(thread) { () throws(DefaultsError) in
                    try suite.set(.number(DefaultsNumber(thread)), forKey: "own\(thread)")
                    try suite.synchronize()
                }
            }
        }
        outcomes.await().forEach { if $0 != "ok" { failures.append($0) } }
    }
}

/// What became of several threads' work.
private final class Outcomes: Sendable {
    private let noted: Locked<[String?]>

    init(_ count: Int) { noted = Locked(Array(repeating: nil, count: count)) }

    /// Does a thread's work.
    func note(_ thread: Int, _ work: () throws(DefaultsError) -> Void) {
        let outcome: String
        do {
            try work()
            outcome = "ok"
        } catch {
            outcome = error.code.description
        }
        noted.withLock { $0[thread] = outcome }
    }

    /// Waits for all of them.
    func await() -> [String] {
        while true {
            let all = noted.withLock { $0 }
            if !all.contains(nil) { return all.compactMap(\.self) }
            sched_yield()
        }
    }
}
