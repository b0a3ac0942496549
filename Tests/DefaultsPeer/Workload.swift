import TypedDefaults

/// What the threads of one process do to a suite at random: how much, to which registers, how well.
///
/// Registers are the keys `r0`... that are set, removed, exchanged and read, the keys `c0`... that are added to and
/// read, and the pairs `p0`... of two keys that are only ever written in one transaction.
struct Workload: Sendable {
    /// A way to be wrong, for the checker to find.
    enum Fault: String, Sendable {
        case none
        /// A thread goes on answering with what it read first.
        case stale
        /// A change in place is a read and a write, with time for others between them.
        case split
        /// The two keys of a pair are set one after the other.
        case torn
        /// Some writes are acknowledged and not made.
        case lost
    }

    /// What the names of this process's notes begin with: its folder and its number.
    let notes: String
    /// Makes this process's values differ from those of all others.
    let number: Int
    let threads: Int
    /// How many operations each thread does, unless it is told to end before.
    let operations: Int
    let seed: UInt64
    let registers: Int
    let counters: Int
    let pairs: Int
    /// Whether nothing is written.
    let isReading: Bool
    let fault: Fault

    /// The workload of a command's words, each `<name>=<value>`.
    init(_ command: Command) throws {
        var values: [String: String] = [:]
        for word in command.words(from: 0) {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        let given = values
        func count(_ name: String, else usual: Int? = nil) throws -> Int {
            guard let count = given[name].flatMap(Int.init) ?? usual else {
                throw Conversation.Misunderstood(line: command.line)
            }
            return count
        }
        guard let folder = given["notes"], let fault = Fault(rawValue: given["fault"] ?? "none") else {
            throw Conversation.Misunderstood(line: command.line)
        }
        number = try count("number")
        notes = "\(folder)/\(number)"
        threads = try count("threads")
        operations = try count("operations")
        seed = UInt64(try count("seed"))
        registers = try count("registers", else: 0)
        counters = try count("counters", else: 0)
        pairs = try count("pairs", else: 0)
        isReading = given["only"] == "reads"
        self.fault = fault
    }

    /// The names of all keys.
    var keys: [String] {
        (0..<registers).map { "r\($0)" } + (0..<counters).map { "c\($0)" }
            + (0..<pairs).flatMap { ["p\($0).a", "p\($0).b"] }
    }
}
