import TypedDefaults

/// Many operations for one command.
extension Conversation {
    /// The ways to add 1 to a value in place.
    private enum Increment: String {
        case `subscript`, modify, defaults, transaction

        func apply(to key: Defaults.Key<Int>, in suite: DefaultsSuite) throws {
            switch self {
            case .subscript: suite[key] += 1
            case .modify: try suite.modify(key) { $0 += 1 }
            case .defaults: Defaults[key] += 1
            case .transaction: try suite.withTransaction { $0[key] += 1 }
            }
        }
    }

    /// Obeys a command of much work; nil where it is none.
    func work(_ command: Command) throws -> String? {
        switch command.verb {
        case "modify": try modify(command, 1, try command.number(2))
        case "threads": try modify(command, try command.number(2), try command.number(3))
        case "fill": try fill(try command.word(0), try command.number(1))
        case "count": try count(try command.word(0), to: try command.number(1))
        case "pairs": try writePairs(try command.number(0))
        case "torn": return "\(try tornPairs(upTo: try command.number(0)))"
        case "writeforever": try writeForever(try command.word(0))
        default: return nil
        }
        return "ok"
    }

    /// `modify <key> <way> <n>` and `threads <key> <way> <threads> <n>`: each thread adds 1 so many times.
    private func modify(_ command: Command, _ threads: Int, _ times: Int) throws {
        guard let way = Increment(rawValue: try command.word(1)) else {
            throw Misunderstood(line: command.line)
        }
        let (key, suite, failures) = (int(try command.word(0)), suite, failures)
        try withThreads(threads) { _ in
            for _ in 0..<times {
                do { try persist { try way.apply(to: key, in: suite) } } catch {
                    failures.append("\(error)")
                }
            }
        }
    }

    /// Tries again what has not had its turn, for two minutes: on a busy machine five seconds may not be enough.
    private func persist(_ body: () throws -> Void) throws {
        for _ in 0..<23 {
            do { return try body() } catch let error as DefaultsError where error.code == .lockTimeout {}
        }
        try body()
    }

    /// Sets as many keys of one prefix, each in a write of its own.
    private func fill(_ prefix: String, _ count: Int) throws {
        for number in 0..<count {
            try suite.set(.number(DefaultsNumber(number)), forKey: "\(prefix)\(number)")
        }
    }

    /// Writes 1 up to a number to a key.
    private func count(_ key: String, to last: Int) throws {
        for number in 1...last { try suite.set(.number(DefaultsNumber(number)), forKey: key) }
    }

    /// Writes the same number to the keys `a` and `b`, so many times, each pair in one transaction.
    private func writePairs(_ count: Int) throws {
        for number in 1...count {
            try suite.withTransaction { transaction in
                transaction[key: "a"] = .number(DefaultsNumber(number))
                transaction[key: "b"] = .number(DefaultsNumber(number))
            }
        }
    }

    /// Answers `reading` and takes snapshots until `a` is the last number: in how many `a` and `b` differed, and how
    /// many different values of `a` were seen.
    ///
    /// At each of the first ten new values it answers `seen`.
    private func tornPairs(upTo last: Int) throws -> String {
        var torn = 0
        var seen: Set<DefaultsValue?> = [suite.snapshot().value(forKey: "a")]
        answer("reading")
        while !seen.contains(.number(DefaultsNumber(last))) {
            let snapshot = suite.snapshot()
            if snapshot.value(forKey: "a") != snapshot.value(forKey: "b") { torn += 1 }
            let isNew = seen.insert(snapshot.value(forKey: "a")).inserted
            if isNew, seen.count <= 11 { answer("seen") }
        }
        return "\(torn) of \(seen.count)"
    }

    /// Counts a key up from where it is and tells each value once it is acknowledged, until somebody kills this.
    private func writeForever(_ name: String) throws {
        let key = int(name)
        var number = try suite.value(key)
        while true {
            number += 1
            try suite.set(key, to: number)
            answer("\(number)")
        }
    }
}
