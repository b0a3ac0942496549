import Libc
import TypedDefaults

/// Starts of a program that a bad value makes crash.
extension Conversation {
    /// Obeys a command about them; nil where it is none.
    mutating func starting(_ command: Command) throws -> String? {
        switch command.verb {
        // `beginstart <n> <key>`: a start that is safe after n failed ones; the process aborts at once if the key's value
        // is "bad". Says whether it is safe.
        case "beginstart":
            let start = try suite.beginStart(safeAfter: try command.number(0))
            if suite.string(forKey: try command.word(1)) == "bad" { crash() }
            self.start = start
            return start.isSafe ? "safe" : "usual"
        case "healthy": try start?.markHealthy()
        case "accept": try start?.acceptStored()
        case "withheld": return "\(start?.withheld.map(\.description) ?? [])"
        case "explainall":
            return suite.explain(forKey: try command.word(0)).map(\.description).joined(separator: "; ")
        default: return nil
        }
        return "ok"
    }

    /// Ends the process as a fatal error does, without what an exit would write first, nor a core.
    private func crash() -> Never {
        kill(getpid(), SIGKILL)
        while true { pause() }
    }
}
