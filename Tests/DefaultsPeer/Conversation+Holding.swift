import TypedDefaults

/// A transaction that is kept open, with the writer's lock, while commands go on.
extension Conversation {
    private struct RolledBack: Error {}

    /// Answers `held` as soon as the lock is had, and obeys `set` and `get` inside, until `release` or `rollback`.
    func hold() throws -> String {
        do {
            try suite.withTransaction { transaction in
                answer("held")
                while let line = readLine(), line != "release" {
                    guard line != "rollback" else { throw RolledBack() }
                    answer(try inside(transaction, Command(line)))
                }
            }
            return "released"
        } catch is RolledBack {
            return "rolled back"
        }
    }

    private func inside(_ transaction: borrowing DefaultsTransaction, _ command: Command) throws -> String {
        switch command.verb {
        case "set": transaction[key: try command.word(0)] = try command.value(from: 1)
        case "get": return transaction[key: try command.word(0)]?.description ?? "none"
        default:
            if let said = try forking(command) { return said }
            throw Misunderstood(line: command.line)
        }
        return "ok"
    }
}
