import TypedDefaults

/// Single values, and all of them.
extension Conversation {
    /// Obeys a command about values; nil where it is none.
    func values(_ command: Command) throws -> String? {
        switch command.verb {
        case "set": try suite.set(try command.value(from: 1), forKey: try command.word(0))
        case "get": return suite.value(forKey: try command.word(0))?.description ?? "none"
        case "setint": try suite.set(int(try command.word(0)), to: try command.number(1))
        case "getint": return "\(try suite.value(int(try command.word(0))))"
        case "reset": try suite.reset(int(try command.word(0)))
        case "remove": try suite.removeValue(forKey: try command.word(0))
        case "removeall": try suite.removeAll()
        case "transact": try transact(Array(command.words(from: 0)))
        case "snapshot": return text(of: suite.snapshot().dictionaryRepresentation())
        case "stored": return text(of: try suite.storedValues())
        case "save":
            // One command, or the checkpoint might be made meanwhile.
            try suite.set(
                DefaultsValue.number(DefaultsNumber(try command.number(1))), forKey: try command.word(0))
            try suite.checkpoint()
        case "checkpoint": try suite.checkpoint()
        case "keephistory": try suite.keepHistory(.versions(try command.number(0)))
        case "versions": return try suite.history().reversed().map(\.id).joined(separator: " ")
        case "undoto":
            let isDone = try suite.undo(forKey: try command.word(0))
            let value = suite.value(forKey: try command.word(0))
            guard isDone, value == (try command.value(from: 1)) else {
                return "\(isDone) \(String(describing: value))"
            }
        case "undo", "redo": return try takeBack(command)
        case "migrate": return try addOnce(named: Array(command.words(from: 0)))
        case "migratelist":
            return try addOnce(named: Array(command.words(from: 1)), list: try command.word(0))
        case "synchronize": try suite.synchronize()
        default: return nil
        }
        return "ok"
    }

    /// `undo <key> [n]`, or `redo`: the values that the key gets, one after the other, or `nothing`.
    private func takeBack(_ command: Command) throws -> String {
        let key = try command.word(0)
        let times = Array(command.words(from: 0)).count > 1 ? try command.number(1) : 1
        let values = try (0..<times).map { _ in
            let isDone = try command.verb == "undo" ? suite.undo(forKey: key) : suite.redo(forKey: key)
            return isDone ? suite.value(forKey: key)?.description ?? "none" : "nothing"
        }
        return values.joined(separator: " ")
    }

    /// The typed key of a name.
    func int(_ name: String) -> Defaults.Key<Int> { Defaults.Key<Int>(name, default: 0, suite: suite) }

    /// Sets whole numbers, key and value in turn, in one transaction.
    private func transact(_ words: [String]) throws {
        try suite.withTransaction { transaction in
            for place in stride(from: 0, to: words.count - 1, by: 2) {
                transaction[key: words[place]] = Int(words[place + 1]).map { .number(DefaultsNumber($0)) }
            }
        }
    }

    /// Migrates by steps that each add 1 to `n`.
    ///
    /// - Returns: the names of those that were done now.
    private func addOnce(named names: [String], list: String? = nil) throws -> String {
        let steps = names.map { name in
            DefaultsMigration(name) { transaction in
                let number = try transaction.storedValue(forKey: "n")?.int ?? 0
                transaction[key: "n"] = .number(DefaultsNumber(number + 1))
            }
        }
        let done = try suite.migrate(steps, list: list)
        return done.isEmpty ? "none" : done.joined(separator: " ")
    }

    /// One line of JSON with the members in the order of their names.
    private func text(of values: [String: DefaultsValue]) -> String {
        let members = values.sorted { $0.key < $1.key }
        return DefaultsValue.object(DefaultsObject(members.map { (key: $0.key, value: $0.value) }))
            .description
    }
}
