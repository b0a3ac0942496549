import Libc
import TypedDefaults

/// Operations on two keys that are always written together.
extension Worker {
    /// Reads a pair or a half of one, sets or exchanges a pair, or removes it.
    mutating func stepPair(_ name: String) throws {
        switch workload.isReading ? draw(50) : draw(100) {
        case ..<40: try readPair(name)
        case ..<50: try readHalf(name)
        case ..<75: try writePair(name, value: newValue())
        case ..<80: try writePair(name, value: nil)
        default: try exchangePair(name)
        }
    }

    private mutating func readPair(_ name: String) throws {
        let (suite, first, second, way) = (suite, key("\(name).a"), key("\(name).b"), draw(3))
        let isReading = workload.isReading
        try record(name, "read") {
            if way == 0, !isReading { return try suite.withTransaction { [$0[first], $0[second]] } }
            let snapshot = suite.snapshot()
            if way == 1 { return [snapshot[first], snapshot[second]] }
            return ["\(name).a", "\(name).b"].map { Worker.number(snapshot.value(forKey: $0)) }
        }
    }

    private mutating func readHalf(_ name: String) throws {
        let (suite, key) = (suite, key(draw(2) == 0 ? "\(name).a" : "\(name).b"))
        try record(name, "read") { [try suite.value(key)] }
    }

    private func writePair(_ name: String, value: Int?) throws {
        let (suite, first, second) = (suite, key("\(name).a"), key("\(name).b"))
        try record(name, "write", Notes.text(value)) {
            guard workload.fault != .torn else {
                try suite.set(first, to: value)
                letOthersGo()
                try suite.set(second, to: value)
                return []
            }
            try suite.withTransaction { transaction in
                transaction[first] = value
                transaction[second] = value
            }
            return []
        }
    }

    private mutating func exchangePair(_ name: String) throws {
        let (suite, first, second, value) = (suite, key("\(name).a"), key("\(name).b"), newValue())
        try record(name, "exchange", "\(value)") {
            try suite.withTransaction { transaction in
                let seen = [transaction[first], transaction[second]]
                transaction[first] = value
                transaction[second] = value
                return seen
            }
        }
    }

    /// Makes it likely that another thread does something now.
    func letOthersGo() { for _ in 0..<20 { sched_yield() } }
}
