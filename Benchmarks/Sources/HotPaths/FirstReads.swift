import Measuring
import TypedDefaults

/// First reads after a change: sixty-four keys get new values in one transaction, then each is read once.
///
/// One read alone would be shorter than what the clock costs.
struct FirstReads<Value: Sendable>: Sendable {
    /// How many keys change at once.
    static var batch: Int { 64 }

    let keys: [Defaults.Key<Value>]
    /// The values as JSON texts, for the decoder that the reads are compared with.
    let texts: [String]
    private let change: @Sendable (inout DefaultsTransaction, _ key: String, _ place: Int) -> Void

    /// Runs so many reads, rounded up to whole batches.
    func run(_ count: Int, in section: (() -> Void) -> Void) {
        for round in 0..<(count + Self.batch - 1) / Self.batch {
            store(round)
            section { for key in keys { blackHole(read(key)) } }
        }
    }

    private func store(_ round: Int) {
        do {
            try DefaultsSuite.standard.withTransaction { transaction in
                for (place, key) in keys.enumerated() { change(&transaction, key.name, place + round) }
            }
        } catch {
            preconditionFailure("the values could not be changed: \(error)")
        }
    }

    @inline(never)
    private func read(_ key: Defaults.Key<Value>) -> Value { Defaults[key] }
}

extension FirstReads {
    static var places: Range<Int> { 0..<batch }
}

extension FirstReads<Double> {
    static let doubles = FirstReads(
        keys: places.map { .init("double\($0)", default: 0) },
        texts: places.map { "\(Double($0) + 0.25)" },
        change: { $0[key: $1] = DefaultsValue(floatLiteral: Double($2) + 0.25) })
}

extension FirstReads<Bool> {
    static let bools = FirstReads(
        keys: places.map { .init("bool\($0)", default: false) },
        texts: places.map { "\($0 % 2 == 0)" },
        change: { $0[key: $1] = .bool($2 % 2 == 0) })
}

extension FirstReads<Int> {
    static let ints = FirstReads(
        keys: places.map { .init("int\($0)", default: 0) },
        texts: places.map { "\($0 * 1001)" },
        change: { $0[key: $1] = DefaultsValue(integerLiteral: Int128($2) * 1001) })
}

extension FirstReads<String> {
    static let strings = FirstReads(
        keys: places.map { .init("string\($0)", default: "") },
        texts: places.map { "\"the text of the number \($0)\"" },
        change: { $0[key: $1] = .string("the text of the number \($2)") })
}

/// Reads of one key, each after another key has changed.
func readAfterOtherChange(_ count: Int, in section: (() -> Void) -> Void) {
    let suite = DefaultsSuite.standard
    for number in 0..<count {
        do {
            try suite.set(DefaultsValue(integerLiteral: Int128(number)), forKey: "other0")
        } catch {
            preconditionFailure("the other key could not be set: \(error)")
        }
        section { blackHole(OurReads.double()) }
    }
}
