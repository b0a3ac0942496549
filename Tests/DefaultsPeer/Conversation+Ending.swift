import Libc
import Synchronization
import TypedDefaults

/// Work that ends with the process: because the process ends itself, or because something puts an end to it.
extension Conversation {
    /// Obeys a command about it; nil where it is none.
    func ending(_ command: Command) throws -> String? {
        switch command.verb {
        case "leave": try leave(writingOn: try command.number(0))
        case "endinhandler":
            unblockSignals()
            signal(SIGTERM) { _ in exit(4) }
        // What the kernel is asked for at the watch's end, it is asked for under a lock.
        case "unwatch": withExtendedLifetime(PathWatch(ForeignFile(try command.word(0))) {}) {}
        case "promise": try promise(try command.word(0), try command.word(1))
        default: return nil
        }
        return "ok"
    }

    /// `leave <n>`: so many threads count keys of their own up, and when each has written ten times, the process ends
    /// with the status 3 while they go on.
    private func leave(writingOn threads: Int) throws {
        let (suite, failures, busy) = (suite, failures, Busy())
        for thread in 0..<threads {
            let key = int("own\(thread)")
            try startThread {
                do {
                    for number in 1...Int.max {
                        try suite.set(key, to: number)
                        if number == 10 { busy.threads.add(1, ordering: .sequentiallyConsistent) }
                    }
                } catch { failures.append("\(error)") }
            }
        }
        while busy.threads.load(ordering: .sequentiallyConsistent) < threads { sched_yield() }
        exit(3)
    }

    /// How many threads have written.
    private final class Busy: Sendable {
        let threads = Atomic<Int>(0)
    }

    /// `promise <key> <key>`: counts two keys up from where they are, each time in one transaction, and tells each
    /// number: `begun`, `acknowledged`, and now and then `promised`, when it is on the disk; until something fails.
    private func promise(_ one: String, _ other: String) throws {
        let keys = [int(one), int(other)]
        let first = try suite.value(keys[0])
        for number in (first + 1)... {
            answer("begun \(number)")
            try suite.withTransaction { transaction in
                for key in keys { transaction[key] = number }
            }
            answer("acknowledged \(number)")
            if number % 3 == 0 {
                try suite.synchronize()
            } else if number % 11 == 0 {
                try suite.checkpoint()
            } else {
                continue
            }
            answer("promised \(number)")
        }
    }
}
