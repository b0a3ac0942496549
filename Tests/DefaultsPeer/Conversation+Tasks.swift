import Libc
import TypedDefaults

/// Writes for tasks, and what other tasks do meanwhile.
extension Conversation {
    /// Obeys a command about them; nil where it is none.
    mutating func tasks(_ command: Command) throws -> String? {
        switch command.verb {
        case "asyncset":
            let (key, value) = (try command.word(0), try command.value(from: 1))
            start { try await $0.async.set(value, forKey: key) }
        case "asyncsets":
            for number in 0..<(try command.number(0)) {
                start { try await $0.async.set(.number(DefaultsNumber(number)), forKey: "key \(number)") }
            }
        case "asyncmodify":
            let key = int(try command.word(0))
            start { try await $0.async.modify(key) { $0 += 1 } }
        case "asyncwaiting":
            let store = try suite.context.store()
            return "\(suite.context.waitingTasks + store.writer.waitingThreads)"
        case "asyncisbusy": return "\(suite.context.hasWaitingTasks)"
        case "asynccancel": writes.forEach { $0.cancel() }
        case "asyncoutcomes": return outcomes.take(try command.number(0))?.joined(separator: " ") ?? "none"
        case "asyncdone": return "\(outcomes.all.count)"
        case "ticks": try tick(times: try command.number(0))
        case "threadcount": return "\(countThreads())"
        default: return nil
        }
        return "ok"
    }

    /// Starts a task that writes.
    private mutating func start(_ write: @escaping @Sendable (DefaultsSuite) async throws -> Void) {
        let (suite, outcomes) = (suite, outcomes)
        writes.append(
            Task.detached {
                do {
                    try await write(suite)
                    outcomes.append("ok")
                } catch let error as DefaultsError {
                    outcomes.append("\(error.code)")
                } catch {
                    outcomes.append("\(type(of: error))")
                }
            })
    }

    /// Has another task run so many times, and waits until it has.
    private func tick(times count: Int) throws {
        let ticked = Mailbox<Bool>()
        Task.detached {
            for _ in 0..<count { await Task.yield() }
            ticked.append(true)
        }
        guard ticked.take(1) != nil else { throw StoodStill() }
    }

    private struct StoodStill: Error {}

    /// How many threads this process has.
    private func countThreads() -> Int {
        guard let folder = opendir("/proc/self/task") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) {
            if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
        }
        return count
    }
}
