/// The fast path of a read beside writers: what it returns was written, whole, and never goes back.
import Synchronization
import TestSupport
import Testing
import TypedDefaults

@Suite(.ownThread, .timeLimit(.minutes(60))) struct HotReadConcurrencyTests {
    /// As many bytes as a read takes from two words.
    private struct Pair: Codable, Sendable, Hashable {
        var number: Int
        var complement: Int

        init(_ number: Int) { (self.number, complement) = (number, ~number) }
        var isWhole: Bool { complement == ~number }
    }

    /// Too large for two words, and with memory of its own.
    private struct Large: Codable, Sendable, Hashable {
        var number: Int
        var texts: [String]

        init(_ number: Int) {
            self.number = number
            texts = (0..<4).map { "a text of a length that needs memory, \(number), \($0)" }
        }

        var isWhole: Bool { self == Large(number) }
    }

    private let rounds = Soak.part(of: 400)

    /// Reads in more threads than have a place to note what they read, while another one writes.
    private func readBesideWriter<Value: Sendable>(
        _ key: Defaults.Key<Value>, make: @escaping @Sendable (Int) -> Value,
        number: @escaping @Sendable (Value) -> Int, isWhole: @escaping @Sendable (Value) -> Bool
    ) {
        let rounds = rounds
        let faults = Recorder<String>()
        let isOver = Atomic<Bool>(false)
        withThreads(7) { thread in
            guard thread > 0 else {
                for round in 1...rounds { Defaults[key] = make(round) }
                isOver.store(true, ordering: .releasing)
                return
            }
            var last = 0
            while last < rounds {
                let isLast = isOver.load(ordering: .acquiring)
                let value = Defaults[key]
                if !isWhole(value) { return faults.append("torn: \(value)") }
                if number(value) < last { return faults.append("\(number(value)) after \(last)") }
                last = number(value)
                // A write that was refused would leave the readers waiting for ever.
                if isLast, last < rounds { return faults.append("\(last) at the end") }
            }
        }
        #expect(faults.all == [])
    }

    @Test(arguments: Place.allCases) func `two words are never of two values`(_ place: Place) throws {
        try place.withSuite { suite in
            let key = Defaults.Key<Pair>("pair", default: Pair(0), suite: suite)
            readBesideWriter(key, make: Pair.init, number: \.number, isWhole: \.isWhole)
        }
    }

    @Test(arguments: Place.allCases) func `a text is whole, and the one before it is let go`(_ place: Place)
        throws
    {
        try place.withSuite { suite in
            let key = Defaults.Key<String>("text", default: "0 of a length that needs memory", suite: suite)
            readBesideWriter(
                key, make: { "\($0) of a length that needs memory" },
                number: { Int($0.prefix { $0 != " " }) ?? -1 },
                isWhole: { $0.hasSuffix(" of a length that needs memory") })
        }
    }

    @Test(arguments: Place.allCases) func `a large value is whole`(_ place: Place) throws {
        try place.withSuite { suite in
            let key = Defaults.Key<Large>("large", default: Large(0), suite: suite)
            readBesideWriter(key, make: Large.init, number: \.number, isWhole: \.isWhole)
        }
    }

    /// Counts the objects that are alive.
    private final class Token: Sendable {
        private let gone: Recorder<Int>
        let number: Int

        init(_ number: Int, _ gone: Recorder<Int>) { (self.number, self.gone) = (number, gone) }
        deinit { gone.append(number) }
    }

    private struct Holder: Sendable { let token: Token }

    @Test func `every value that is replaced under readers is let go exactly once`() {
        let (gone, made) = (Recorder<Int>(), Recorder<Int>())
        do {
            let codec = DefaultsCodec<Holder>(
                encode: { Array("\($0.token.number)".utf8) },
                decode: { bytes in
                    let number = Int(String(decoding: bytes, as: UTF8.self)) ?? -1
                    made.append(number)
                    return Holder(token: Token(number, gone))
                })
            let suite = DefaultsSuite.inMemory()
            let none = Token(-1, Recorder())
            let key = Defaults.Key<Holder>("holder", default: Holder(token: none), suite: suite, codec: codec)
            let rounds = rounds
            let isOver = Atomic<Bool>(false)
            withThreads(6) { thread in
                guard thread > 0 else {
                    defer { isOver.store(true, ordering: .releasing) }
                    for round in 1...rounds {
                        do {
                            try suite.set(DefaultsValue(integerLiteral: Int128(round)), forKey: "holder")
                        } catch {
                            Issue.record(error)
                        }
                    }
                    return
                }
                while !isOver.load(ordering: .acquiring) { _ = Defaults[key] }
                let last = Defaults[key].token.number
                #expect(last == rounds)
            }
        }
        // Whatever each thread decoded has gone with the key, and nothing twice.
        #expect(gone.wait(for: made.all.count))
        #expect(gone.all.sorted() == made.all.sorted())
    }

    @Test func `a change of the domains that one thread has seen is seen by all`() throws {
        let suite = DefaultsSuite.inMemory()
        let key = Defaults.Key<Int>("n", default: 0, suite: suite)
        let rounds = rounds
        let faults = Recorder<String>()
        let isOver = Atomic<Bool>(false)
        withThreads(4) { thread in
            guard thread > 0 else {
                for round in 1...rounds {
                    suite.register(defaults: ["n": DefaultsValue(integerLiteral: Int128(round))])
                }
                isOver.store(true, ordering: .releasing)
                return
            }
            var last = 0
            while last < rounds {
                let isLast = isOver.load(ordering: .acquiring)
                let next = Defaults[key]
                if next < last { return faults.append("\(next) after \(last)") }
                last = next
                if isLast, last < rounds { return faults.append("\(last) at the end") }
            }
        }
        #expect(faults.all == [])
    }
}
