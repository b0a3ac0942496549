import OpenCombine
import Testing
import TypedDefaults
import TypedDefaultsOpenCombine

/// A subscriber that asks for what a test tells it to.
private final class Taker<Input>: Subscriber {
    typealias Failure = Never

    private(set) var taken: [Input] = []
    private(set) var subscription: (any Subscription)?
    private let first: Subscribers.Demand
    /// What it does with each value besides.
    var whenTaken: () -> Void = {}

    init(first: Subscribers.Demand) { self.first = first }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        subscription.request(first)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        taken.append(input)
        whenTaken()
        return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {}
}

/// Publishers, against OpenCombine.
@Suite struct PublisherTests {
    private let suite = DefaultsSuite.inMemory()
    private let width: Defaults.Key<Int>
    private let height: Defaults.Key<Int>

    init() {
        width = Defaults.Key("width", default: 1, suite: suite)
        height = Defaults.Key("height", default: 1, suite: suite)
    }

    @Test func `a publisher gives the present value and then each change`() {
        var changes: [[Int]] = []
        let cancellable = Defaults.publisher(width).sink { changes.append([$0.oldValue, $0.newValue]) }
        Defaults[width] = 2
        Defaults[width] = 2
        Defaults[width] = 3
        #expect(changes == [[1, 1], [1, 2], [2, 3]])
        cancellable.cancel()
        Defaults[width] = 4
        #expect(changes.count == 3)
    }

    @Test func `without the option there is no initial event`() {
        var values: [Int] = []
        let cancellable = Defaults.publisher(width, options: []).map(\.newValue).sink { values.append($0) }
        Defaults[width] = 2
        #expect(values == [2])
        cancellable.cancel()
    }

    @Test func `what comes before it is asked for is kept, the initial event included`() {
        let taker = Taker<Defaults.KeyChange<Int>>(first: .none)
        Defaults.publisher(width).receive(subscriber: taker)
        Defaults[width] = 2
        Defaults[width] = 3
        #expect(taker.taken.map(\.newValue) == [])
        taker.subscription?.request(.max(2))
        #expect(taker.taken.map(\.newValue) == [1, 2])
        taker.subscription?.request(.unlimited)
        #expect(taker.taken.map(\.newValue) == [1, 2, 3])
        taker.subscription?.cancel()
    }

    @Test func `many changes that are asked for one by one come in order, with those that come meanwhile`() {
        let taker = Taker<Defaults.KeyChange<Int>>(first: .none)
        Defaults.publisher(width).receive(subscriber: taker)
        for number in 2...300 { Defaults[width] = number }
        for number in 301...600 {
            taker.subscription?.request(.max(1))
            Defaults[width] = number
        }
        #expect(taker.taken.map(\.newValue) == Array(1...300))
        taker.subscription?.request(.unlimited)
        #expect(taker.taken.map(\.newValue) == Array(1...600))
        taker.subscription?.cancel()
    }

    @Test func `what an operator asks for is all it gets`() {
        var values: [Int] = []
        let cancellable = Defaults.publisher(width).map(\.newValue).prefix(2).sink { values.append($0) }
        for number in 2...5 { Defaults[width] = number }
        #expect(values == [1, 2])
        cancellable.cancel()
    }

    @Test func `several keys publish once for a transaction`() throws {
        var events = 0
        let cancellable = Defaults.publisher(keys: width, height, options: []).sink { events += 1 }
        try suite.withTransaction { transaction in
            transaction[width] = 5
            transaction[height] = 6
        }
        #expect(events == 1)
        Defaults[width] += 1
        #expect(events == 2)
        cancellable.cancel()
    }

    @Test func `all changes of a suite are published, of undeclared keys too`() throws {
        var suites: [DefaultsSuite] = []
        let cancellable = Defaults.publisherAll(suite: suite).sink { suites.append($0) }
        #expect(suites == [suite])
        try suite.set(1, forKey: "anything")
        try suite.set(1, forKey: "anything")
        Defaults[width] = 7
        suite.register(defaults: ["other": true])
        try suite.removeAll()
        #expect(suites.count == 5)
        cancellable.cancel()
    }

    @Test func `a value that a subscriber writes comes after the one it is given`() {
        var values: [Int] = []
        let cancellable = Defaults.publisher(width).map(\.newValue).sink { value in
            values.append(value)
            if value < 4 { Defaults[width] = value + 1 }
        }
        #expect(values == [1, 2, 3, 4])
        cancellable.cancel()
    }

    @Test func `a released cancellable ends the observation`() {
        var values: [Int] = []
        do { _ = Defaults.publisher(width).sink { values.append($0.newValue) } }
        Defaults[width] = 2
        #expect(values == [1])
    }

    @Test(arguments: [Subscribers.Demand.none, .max(3), .unlimited])
    func `a cancelled subscription that is kept lets its subscriber go`(_ demand: Subscribers.Demand) {
        expectLetGo(by: Defaults.publisher(width), demand)
        expectLetGo(by: Defaults.publisher(keys: width, height), demand)
        expectLetGo(by: Defaults.publisherAll(suite: suite), demand)
    }

    @Test func `a subscriber that cancels while it is given a value is let go afterwards`() {
        weak var gone: Taker<Defaults.KeyChange<Int>>?
        var kept: (any Subscription)?
        do {
            let taker = Taker<Defaults.KeyChange<Int>>(first: .unlimited)
            taker.whenTaken = { [weak taker] in taker?.subscription?.cancel() }
            Defaults.publisher(width).receive(subscriber: taker)
            #expect(taker.taken.map(\.newValue) == [1])
            (gone, kept) = (taker, taker.subscription)
        }
        #expect(gone == nil)
        withExtendedLifetime(kept) {}
    }

    private func expectLetGo<Output>(by publisher: AnyPublisher<Output, Never>, _ demand: Subscribers.Demand)
    {
        weak var gone: Taker<Output>?
        var kept: (any Subscription)?
        do {
            let taker = Taker<Output>(first: demand)
            publisher.receive(subscriber: taker)
            Defaults[width] += 1
            (gone, kept) = (taker, taker.subscription)
            kept?.cancel()
        }
        #expect(gone == nil)
        kept?.request(.unlimited)
        Defaults[width] += 1
        withExtendedLifetime(kept) {}
    }
}
