/// What peers note is read as they meant it, and a chain of changes is held against it.
import TestSupport
import Testing

struct HistoryFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func history(_ text: String) throws -> History {
        try folder.write(text, to: "notes")
        var history = History()
        try history.read("\(folder.path)/notes", client: "a")
        return history
    }

    @Test func `each kind of operation is read with what it saw`() throws {
        let history = try history(
            """
            b 1 r read
            e 2 -
            b 3 r write 5
            e 4
            b 5 r exchange 6
            e 6 5
            b 7 p read
            e 8 1 -
            b 9 c add 1
            e 10 3

            """)
        #expect(
            history.operations == [
                "r": [
                    .init("a", 1, 2, .read([nil])), .init("a", 3, 4, .write(5)),
                    .init("a", 5, 6, .exchange(6, seen: [5])),
                ],
                "p": [.init("a", 7, 8, .read([1, nil]))], "c": [.init("a", 9, 10, .add(1, gave: 3))],
            ])
    }

    @Test(arguments: ["", "e 4", "e 4 1"])
    func `an operation without a whole answer was never answered`(_ rest: String) throws {
        let history = try history("b 3 c add 1\n\(rest)")
        #expect(history.operations == ["c": [.init("a", 3, nil, .add(1, gave: nil))]])
    }

    @Test func `an operation of which a part was recorded was never begun`() throws {
        #expect(try history("b 3 c ad").operations == [:])
    }

    @Test func `a refused operation is in no order`() throws {
        let history = try history("b 1 r write -\nx 9 lockTimeout\n")
        #expect(history.operations == [:])
        #expect(history.refused.map(\.code) == ["lockTimeout"])
        #expect(history.refused.map(\.operation) == [.init("a", 1, 9, .write(nil))])
    }

    @Test(arguments: ["e 4 1\n", "b 1 r read\nb 2 r read\n", "b x r read\n", "b 1 r turn\ne 2\n"])
    func `notes that make no sense are refused`(_ text: String) {
        #expect(throws: (any Error).self) { try history(text) }
    }
}

struct ObservedChainTests {
    /// One client sets 1, 2 and 3, one after the other.
    private static let writes: [RegisterOperation] = [
        .init("a", 10, 15, .write(1)), .init("a", 20, 25, .write(2)), .init("a", 30, 35, .write(3)),
    ]

    private func faults(_ values: [Int?]) -> [String] {
        let changes = zip([values[0]] + values, values).map { (old: $0, new: $1) }
        return ObservedChain(changes).faults(beside: Self.writes, initial: nil)
    }

    @Test(arguments: [[nil, 1, 2, 3], [nil, 2, 3], [nil], [1, 2, nil, 3], [3, nil]] as [[Int?]])
    func `a chain that leaves out values of others is right`(_ values: [Int?]) {
        #expect(faults(values) == [])
    }

    @Test(arguments: [[nil, 2, 1], [nil, 1, 3, 2], [nil, 4], [nil, 1, 1]] as [[Int?]])
    func `a chain in another order, of other values, or of no change is wrong`(_ values: [Int?]) {
        #expect(faults(values).count == 1)
    }

    @Test func `a chain whose links do not hold together is wrong`() {
        let chain = ObservedChain([(old: nil, new: nil), (old: nil, new: 1), (old: 2, new: 3)])
        #expect(chain.breaks == [ObservedChain.Change(old: 2, new: 3)])
    }

    @Test func `reads that see what was told in another order are wrong, though the chain is right`() {
        let reads = [RegisterOperation("b", 40, 41, .read([3])), RegisterOperation("b", 42, 43, .read([2]))]
        let chain = ObservedChain([(old: nil, new: nil), (old: nil, new: 2), (old: 2, new: 3)])
        #expect(chain.disorder(of: Self.writes) == [])
        let killed = RegisterOperation("a", 30, nil, .write(3))
        #expect(chain.disorder(of: Self.writes.dropLast() + [killed] + reads) == [reads])
    }

    @Test func `the values that were not told are missed, but for those nobody knows to be written`() {
        let killed = RegisterOperation("a", 40, nil, .write(4))
        let chain = ObservedChain([(old: nil, new: nil), (old: nil, new: 2)])
        #expect(chain.missing(of: Self.writes + [killed]) == [1, 3])
    }
}
