import TypedDefaults

/// Operations on single keys: registers that are set and removed, and counters.
extension Worker {
    /// Reads, sets, removes or exchanges.
    mutating func stepRegister(_ name: String) throws {
        switch workload.isReading ? 0 : draw(100) {
        case ..<45: try read(name)
        case ..<72: try set(name)
        case ..<80: try remove(name)
        default: try exchange(name)
        }
    }

    /// Reads or adds.
    mutating func stepCounter(_ name: String) throws {
        if workload.isReading || draw(2) == 0 { try read(name) } else { try add(name) }
    }

    /// Reads in one of the ways there are; one that only reads waits for no lock.
    private mutating func read(_ name: String) throws {
        let (suite, key, way) = (suite, key(name), draw(workload.isReading ? 4 : 5))
        if workload.fault == .stale, let first = firstReads[name] {
            return try record(name, "read") { [first] }
        }
        var value: Int?
        try record(name, "read") {
            switch way {
            case 0: value = Worker.number(suite.value(forKey: name))
            case 1: value = try suite.value(key)
            case 2: value = suite.snapshot()[key]
            case 3: value = suite[key]
            default: value = try suite.withTransaction { $0[key] }
            }
            return [value]
        }
        firstReads[name] = firstReads[name] ?? value
    }

    private mutating func set(_ name: String) throws {
        let (suite, key, way, value) = (suite, key(name), draw(3), newValue())
        let isLost = workload.fault == .lost && draw(4) == 0
        try record(name, "write", "\(value)") {
            guard !isLost else { return [] }
            switch way {
            case 0: try suite.set(.number(DefaultsNumber(value)), forKey: name)
            case 1: try suite.set(key, to: value)
            default: try suite.withTransaction { $0[key] = value }
            }
            return []
        }
    }

    private mutating func remove(_ name: String) throws {
        let (suite, key, way) = (suite, key(name), draw(3))
        try record(name, "write", "-") {
            switch way {
            case 0: try suite.removeValue(forKey: name)
            case 1: try suite.reset(key)
            default: try suite.set(key, to: nil)
            }
            return []
        }
    }

    private mutating func exchange(_ name: String) throws {
        let (value, way) = (newValue(), draw(2))
        try record(name, "exchange", "\(value)") {
            try [change(key(name), way) { old in (value, old) }]
        }
    }

    private mutating func add(_ name: String) throws {
        let way = draw(2)
        try record(name, "add", "1") {
            try [change(key(name), way) { old in ((old ?? 0) + 1, (old ?? 0) + 1) }]
        }
    }

    /// Changes a value in place, in one of the ways there are; answers the second of what the body makes of the old one.
    private func change(
        _ key: Defaults.OptionalKey<Int>, _ way: Int, _ body: (Int?) -> (new: Int?, answer: Int?)
    ) throws -> Int? {
        guard workload.fault != .split else {
            let made = body(try suite.value(key))
            letOthersGo()
            try suite.set(key, to: made.new)
            return made.answer
        }
        guard way == 0 else {
            return try suite.withTransaction { transaction in
                let made = body(transaction[key])
                transaction[key] = made.new
                return made.answer
            }
        }
        return try suite.modify(key) { value in
            let made = body(value)
            value = made.new
            return made.answer
        }
    }

    /// The number of an untyped value; one that nobody writes where it is something else.
    static func number(_ value: DefaultsValue?) -> Int? { value.map { $0.int ?? -1 } }
}
