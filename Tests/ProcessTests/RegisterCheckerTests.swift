/// The checker of histories accepts those that have an order, and refuses those that have none, in short.
import TestSupport
import Testing

struct RegisterCheckerTests {
    /// Histories by name; `a` and `b` are clients.
    private static let ordered: [String: [RegisterOperation]] = [
        "nothing was asked": [],
        "one after the other": [
            .init("a", 0, 1, .write(1)), .init("a", 2, 3, .read([1])), .init("a", 4, 5, .write(nil)),
            .init("b", 6, 7, .read([nil])),
        ],
        "a read beside a write sees the old value": [
            .init("a", 0, 9, .write(1)), .init("b", 1, 2, .read([nil])),
        ],
        "a read beside a write sees the new value": [
            .init("a", 0, 9, .write(1)), .init("b", 1, 2, .read([1])),
        ],
        "readers beside a write see old, then new": [
            .init("a", 0, 9, .write(1)), .init("b", 1, 2, .read([nil])), .init("c", 3, 4, .read([1])),
        ],
        "what ends at the moment at which another begins is beside it": [
            .init("a", 0, 2, .write(1)), .init("b", 2, 3, .read([nil])),
        ],
        "writes beside one another take effect in the order that the reads show": [
            .init("a", 0, 9, .write(1)), .init("b", 0, 9, .write(2)), .init("c", 1, 2, .read([2])),
            .init("c", 3, 4, .read([1])), .init("c", 10, 11, .read([1])),
        ],
        "a killed write that is seen": [.init("a", 0, nil, .write(1)), .init("b", 5, 6, .read([1]))],
        "a killed write that is not seen": [.init("a", 0, nil, .write(1)), .init("b", 5, 6, .read([nil]))],
        "a killed write that is seen late": [
            .init("a", 0, nil, .write(1)), .init("b", 5, 6, .read([nil])), .init("b", 7, 8, .read([1])),
        ],
        "a killed removal takes effect late, beside another one": [
            .init("a", 0, 1, .write(1)), .init("b", 2, nil, .write(nil)), .init("c", 2, nil, .write(nil)),
            .init("a", 3, 4, .read([1])), .init("a", 5, 6, .read([nil])), .init("a", 7, 8, .write(2)),
            .init("a", 9, 10, .read([nil])),
        ],
        "exchanges hand on what they saw": [
            .init("a", 0, 9, .exchange(1, seen: [2])), .init("b", 0, 9, .exchange(2, seen: [nil])),
            .init("c", 10, 11, .read([1])),
        ],
        "additions beside one another": [
            .init("a", 0, 9, .add(1, gave: 2)), .init("b", 0, 9, .add(1, gave: 1)),
            .init("c", 10, 11, .read([2])),
        ],
        "killed additions, of which some took effect": [
            .init("a", 0, nil, .add(1, gave: nil)), .init("b", 0, nil, .add(1, gave: nil)),
            .init("c", 5, 6, .read([1])), .init("c", 7, 8, .add(1, gave: 3)),
        ],
        "both halves of a pair": [.init("a", 0, 1, .write(1)), .init("b", 2, 3, .read([1, 1]))],
    ]

    @Test(arguments: ordered.keys.sorted())
    func `a history with an order is accepted`(_ name: String) throws {
        #expect(RegisterChecker.violation(in: try #require(Self.ordered[name])) == nil)
    }

    /// Histories in the shortest form that shows what is wrong, by name; the last operation is the one that shows it.
    private static let disordered: [String: [RegisterOperation]] = [
        "a stale read": [
            .init("a", 0, 1, .write(1)), .init("a", 2, 3, .write(2)), .init("b", 4, 5, .read([1])),
        ],
        "a lost update": [
            .init("a", 0, 9, .exchange(1, seen: [nil])), .init("b", 0, 10, .exchange(2, seen: [nil])),
        ],
        "a lost addition": [.init("a", 0, 9, .add(1, gave: 1)), .init("b", 0, 10, .add(1, gave: 1))],
        "an acknowledged write that is gone": [
            .init("a", 0, 1, .write(1)), .init("b", 2, 3, .read([nil])),
        ],
        "a value out of thin air": [.init("a", 0, 1, .read([7]))],
        "a read of a value before it was written": [
            .init("a", 0, 1, .read([1])), .init("b", 2, 3, .write(1)),
        ],
        "a read of a value before a killed write of it": [
            .init("a", 0, 1, .read([1])), .init("b", 2, nil, .write(1)),
        ],
        "two readers that see new and old": [
            .init("a", 0, 9, .write(1)), .init("b", 1, 2, .read([1])), .init("c", 3, 4, .read([nil])),
        ],
        "a killed write that is seen and then not": [
            .init("a", 0, nil, .write(1)), .init("b", 1, 2, .read([1])), .init("c", 3, 4, .read([nil])),
        ],
        "a killed addition that is seen and then not": [
            .init("a", 0, nil, .add(1, gave: nil)), .init("b", 1, 2, .read([1])),
            .init("c", 3, 4, .read([nil])),
        ],
        "more additions seen than asked for": [
            .init("a", 0, nil, .add(1, gave: nil)), .init("b", 1, 2, .read([2])),
        ],
        "readers that see two writes in two orders": [
            .init("a", 0, 9, .write(1)), .init("b", 0, 9, .write(2)), .init("c", 1, 2, .read([1])),
            .init("c", 3, 4, .read([2])), .init("d", 5, 6, .read([1])),
        ],
        "half of a pair": [.init("a", 0, 9, .write(1)), .init("b", 1, 2, .read([1, nil]))],
    ]

    @Test(arguments: disordered.keys.sorted())
    func `a history without an order is refused`(_ name: String) throws {
        #expect(RegisterChecker.violation(in: try #require(Self.disordered[name])) != nil)
    }

    @Test(arguments: disordered.keys.sorted())
    func `what is wrong is shown without what has nothing to do with it`(_ name: String) throws {
        let wrong = try #require(Self.disordered[name]).map { operation in
            var later = operation
            later.start += 1_000
            later.end = operation.end.map { $0 + 1_000 }
            return later
        }
        let before = (0..<100).flatMap { number -> [RegisterOperation] in
            let moment = Int64(number) * 5
            return [
                .init("z", moment, moment + 1, .exchange(1_000 + number, seen: [])),
                .init("z", moment + 1, moment + 3, .read([1_000 + number])),
            ]
        }

        let end = RegisterOperation("z", 900, 901, .write(nil))
        let after = (0..<100).map { number in
            RegisterOperation("z", 2_000 + Int64(number), 2_000 + Int64(number), .write(2_000 + number))
        }
        let found = try #require(RegisterChecker.violation(in: before + [end] + wrong + after))
        #expect(Set(found.history.map(\.start)).subtracting((wrong + [end]).map(\.start)) == [], "\(found)")
    }

    @Test
    func `an operation that is under way when another fits nowhere is not held against what came later`() {
        // The exchange of b is right: it saw the write of d, which began after c's stale read had ended.
        let history: [RegisterOperation] = [
            .init("a", 0, 1, .write(1)), .init("a", 2, 3, .write(2)),
            .init("b", 4, 20, .exchange(8, seen: [9])),
            .init("c", 5, 6, .read([1])), .init("d", 7, 21, .write(9)),
        ]
        #expect(
            RegisterChecker.violation(in: history)?.history == [
                .init("a", 0, 1, .write(1)), .init("a", 2, 3, .write(2)), .init("c", 5, 6, .read([1])),
            ])
    }

    @Test func `ten thousand operations of nine clients on one register are gone through`() {
        let operations = simulated(clients: 9, operations: 10_000)
        #expect(RegisterChecker.violation(in: operations) == nil)
        let place = operations.count / 2
        var broken = operations
        broken[place].action = .read([-1])
        #expect(RegisterChecker.violation(in: broken)?.history == [broken[place]])
    }

    /// What clients of one true register may see, with each operation at a random place between its start and its end.
    private func simulated(clients: Int, operations count: Int) -> [RegisterOperation] {
        var random = SeededNumbers(seed: 7)
        var moments = Array(repeating: Int64(0), count: clients)
        var effects: [(moment: Int64, operation: RegisterOperation)] = []
        for number in 0..<count {
            let client = number % clients
            let start = moments[client] + Int64.random(in: 1...20, using: &random)
            let end = start + Int64.random(in: 1...40, using: &random)
            moments[client] = end
            let action: RegisterOperation.Action =
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<5: .read([])
                case 5..<8: .write(number)
                default: .exchange(number, seen: [])
                }
            let operation = RegisterOperation("\(client)", start, end, action)
            effects.append((Int64.random(in: start...end, using: &random), operation))
        }
        var value: Int?
        return effects.sorted { $0.moment < $1.moment }.map { effect in
            var operation = effect.operation
            switch operation.action {
            case .read: operation.action = .read([value])
            case .write(let new): value = new
            case .exchange(let new, _):
                operation.action = .exchange(new, seen: [value])
                value = new
            case .add: break
            }
            return operation
        }
    }
}
