import TestSupport
import Testing
import TypedDefaults

/// Random nested values come back, and their text does not depend on how they were made.
struct NestedValueFuzzTests {
    indirect enum Tree: Codable, Hashable {
        case leaf(Int?), text(String), number(Double)
        case list([Tree?]), set(Set<Tree>), named([String: Tree]), keyed([Tree: Tree])
    }

    @Test(arguments: 0..<8 as Range<UInt64>) func `random values come back`(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let trees = (0..<40).map { _ in Self.tree(levels: 4, &random) }
        try roundTrip(trees)
        #expect(try encoded(trees) == encoded(trees.map(Self.rebuilt)))
    }

    private static func tree(levels: Int, _ random: inout SeededNumbers) -> Tree {
        let size = Int.random(in: 0...3, using: &random)
        func children() -> [Tree] { (0..<size).map { _ in tree(levels: levels - 1, &random) } }
        switch Int.random(in: 0..<(levels == 0 ? 3 : 7), using: &random) {
        case 0: return .leaf(size == 0 ? nil : Int(truncatingIfNeeded: random.next()))
        case 1:
            return .text(
                String(
                    (0..<size).map { _ in
                        ["a", "\"", "\n", "é", "👍", "\u{1}"].randomElement(using: &random) ?? "b"
                    }))
        case 2: return .number(Double.random(in: -1e6...1e6, using: &random))
        case 3: return .list(children() + [nil])
        case 4: return .set(Set(children()))
        case 5: return .named(Dictionary(children().enumerated().map { ("\($0.offset)", $0.element) }) { $1 })
        default: return .keyed(Dictionary(children().map { ($0, .leaf(1)) }) { $1 })
        }
    }

    /// An equal value whose sets and dictionaries were filled backwards and with room to spare.
    private static func rebuilt(_ tree: Tree) -> Tree {
        switch tree {
        case .leaf, .text, .number: return tree
        case .list(let elements): return .list(elements.map { $0.map(rebuilt) })
        case .set(let elements):
            var set = Set<Tree>(minimumCapacity: 500)
            for element in elements.reversed() { set.insert(rebuilt(element)) }
            return .set(set)
        case .named(let members):
            var named = [String: Tree](minimumCapacity: 500)
            for (name, member) in members.reversed() { named[name] = rebuilt(member) }
            return .named(named)
        case .keyed(let pairs):
            var keyed = [Tree: Tree](minimumCapacity: 500)
            for (key, value) in pairs.reversed() { keyed[rebuilt(key)] = rebuilt(value) }
            return .keyed(keyed)
        }
    }
}
