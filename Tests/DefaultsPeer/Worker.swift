import Libc
import TypedDefaults

/// One thread of a workload: draws operations, does them, and notes each before and after.
struct Worker {
    let suite: DefaultsSuite
    let workload: Workload
    private let notes: Notes
    private let base: Int
    private var made = 0
    private var random: DrawnNumbers
    /// What this thread read first, by key, for the fault of that name.
    var firstReads: [String: Int?] = [:]

    init(_ workload: Workload, thread: Int, suite: DefaultsSuite) throws {
        self.workload = workload
        self.suite = suite
        notes = try Notes(path: "\(workload.notes).\(thread)")
        base = (workload.number * 100 + thread + 1) * 1_000_000
        random = DrawnNumbers(seed: workload.seed &* 1_000 &+ UInt64(thread))
    }

    /// Does one operation.
    mutating func step() throws {
        let place = draw(workload.registers + workload.counters + workload.pairs)
        if place < workload.registers {
            try stepRegister("r\(place)")
        } else if place < workload.registers + workload.counters {
            try stepCounter("c\(place - workload.registers)")
        } else {
            try stepPair("p\(place - workload.registers - workload.counters)")
        }
    }

    /// A number below another one.
    mutating func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    /// A value that nobody else writes and this thread has not written.
    mutating func newValue() -> Int {
        made += 1
        return base + made
    }

    /// Does an operation that answers what it saw, and notes what is asked before it begins and what came when it has
    /// ended.
    func record(_ register: String, _ asked: String..., body: () throws -> [Int?]) throws {
        try notes.add(["b", Notes.now, register] + asked)
        do {
            let seen = try body()
            let moment = Notes.now
            try notes.add(["e", moment] + seen.map(Notes.text))
        } catch let error as DefaultsError {
            try notes.add(["x", Notes.now, error.code.description])
        }
    }

    /// The key of a register as a typed one.
    func key(_ name: String) -> Defaults.OptionalKey<Int> { Defaults.OptionalKey<Int>(name, suite: suite) }
}

/// Random numbers that are the same again for the same seed (SplitMix64).
struct DrawnNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
