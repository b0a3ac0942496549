import TestSupport
import Testing
import TypedDefaults

/// `updates` and `changes`.
@Suite(.ownThread) struct UpdatesTests {
    private let suite = DefaultsSuite.inMemory()
    private let size: Defaults.Key<Int>

    init() { size = Defaults.Key<Int>("size", default: 1, suite: suite) }

    @Test func `updates gives the present value first and then the next`() async {
        var seen: [Int] = []
        for await value in Defaults.updates(size) {
            seen.append(value)
            if seen.count == 3 { break }
            Defaults[size] = value + 1
        }
        #expect(seen == [1, 2, 3])
    }

    @Test func `updates without the initial value begins with the next`() async {
        var values = Defaults.updates(size, initial: false).makeAsyncIterator()
        Defaults[size] = 2
        #expect(await values.next() == 2)
    }

    @Test func `updates keeps only the latest value for a consumer that was away`() async {
        var values = Defaults.updates(size).makeAsyncIterator()
        for number in 2...50 { Defaults[size] = number }
        #expect(await values.next() == 50)
        Defaults[size] = 51
        #expect(await values.next() == 51)
    }

    @Test func `changes begins with the present value where it is wanted`() async {
        var changes = Defaults.changes(size, initial: true).makeAsyncIterator()
        Defaults[size] = 2
        let first = await changes.next()
        #expect(first?.isInitial == true && first?.newValue == 1)
        let next = await changes.next()
        #expect(next?.isInitial == false && next?.oldValue == 1 && next?.newValue == 2)
    }

    @Test func `changes keeps every change, from the call on`() async {
        Defaults[size] = 2
        let changes = Defaults.changes(size)
        for number in 3...50 { Defaults[size] = number }
        var seen: [Change] = []
        for await change in changes.prefix(48) { seen.append(Change(change)) }
        #expect(seen == (3...50).map { Change(old: $0 - 1, new: $0) })
    }

    @Test func `a suite's streams are those of the key in that suite`() async {
        let other = DefaultsSuite.inMemory()
        var values = other.updates(size).makeAsyncIterator()
        var changes = other.changes(size).makeAsyncIterator()
        Defaults[size] = 5
        other[size] = 2
        #expect(await values.next() == 2)
        #expect(await changes.next().map(Change.init) == Change(old: 1, new: 2))
    }

    @Test func `a stream's observation ends when its consumer stops`() async throws {
        for await _ in Defaults.updates(size) { break }
        try #expect(!suite.hasObservers)
        do { _ = Defaults.changes(size) }
        try #expect(!suite.hasObservers)
    }

    @Test func `a stream ends when its task is cancelled`() async throws {
        let size = size
        let began = Recorder<Int>()
        // Detached, so that it does not wait behind the tests that compute on the pool's threads.
        let task = Task.detached {
            for await value in Defaults.updates(size) { began.append(value) }
            return "ended"
        }
        #expect(await began.wait(for: 1))
        try #expect(suite.hasObservers)
        task.cancel()
        #expect(await task.value == "ended")
        try #expect(!suite.hasObservers)
    }

    @MainActor @Test func `a stream ends on another thread while the main one is blocked`() {
        let size = size
        let (began, ended) = (Gate(), Gate())
        let task = Task.detached {
            for await _ in Defaults.updates(size) { began.open() }
            ended.open()
        }
        #expect(began.wait())
        task.cancel()
        #expect(ended.wait())
    }
}
