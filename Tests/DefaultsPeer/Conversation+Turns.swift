import TypedDefaults

/// A suite that is opened, used and closed, again and again.
extension Conversation {
    /// Obeys a command about it; nil where it is none.
    func turns(_ command: Command) throws -> String? {
        guard command.verb == "turns" else { return nil }
        for _ in 0..<(try command.number(3)) {
            try turn(try DefaultsSuite(command.word(1), in: command.word(0)), key: try command.word(2))
        }
        return "ok"
    }

    /// What an observer should have been told and was not.
    private struct NotTold: Error {
        let number: Int
    }

    /// `turns <folder> <suite> <key> <n>`: each time opens the suite, which nothing else here has open, observes the key,
    /// adds 1 to it, sets, reads and removes another one, and lets everything go.
    private func turn(_ suite: DefaultsSuite, key name: String) throws {
        let failures = failures
        suite.onFailure = { failures.append($0.code.description) }
        let (key, heard) = (Defaults.Key<Int>(name, default: 0, suite: suite), Mailbox<Int>())
        let observation = Defaults.observe(key, options: []) { heard.append($0.newValue) }
        let number = try suite.modify(key) { number in
            number += 1
            return number
        }
        guard heard.take(1) == [number] else { throw NotTold(number: number) }
        observation.invalidate()
        let beside = Defaults.OptionalKey<Int>("\(name)beside", suite: suite)
        try suite.set(beside, to: number)
        guard try suite.withTransaction({ $0[beside] }) == number else { throw NotTold(number: number) }
        try suite.reset(beside)
    }
}
