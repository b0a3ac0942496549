import TypedDefaults

/// Threads that go on working while commands are obeyed.
extension Conversation {
    /// Obeys a command about them; nil where it is none.
    mutating func history(_ command: Command) throws -> String? {
        switch command.verb {
        case "work":
            let new = try Workload(command)
            workload = try RunningWorkload(new, on: suite)
            worker = try Worker(new, thread: new.threads, suite: suite)
        case "step": for _ in 0..<(try command.number(0)) { try worker?.step() }
        case "goon": return "\(try running(command).go(on: command.number(0)))"
        case "join": return "\(try running(command).join())"
        case "end": return "\(try running(command).end())"
        case "hearall": try running(command).hearAll()
        default: return nil
        }
        return "ok"
    }

    private func running(_ command: Command) throws -> RunningWorkload {
        guard let workload else { throw Misunderstood(line: command.line) }
        return workload
    }
}
