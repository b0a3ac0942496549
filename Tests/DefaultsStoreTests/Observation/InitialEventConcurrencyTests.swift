/// The initial event comes before `observe` returns, whoever writes meanwhile.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct InitialEventConcurrencyTests {
    private let suite = DefaultsSuite.inMemory()

    /// Has a body run by a second thread while a first one is between being on the list of observers and delivering its
    /// initial event.
    private func amidStart(
        of observe: @escaping @Sendable () -> Void, _ body: @escaping @Sendable () throws -> Void
    ) throws {
        let store = try suite.context.store()
        let isHeld = TestSupport.Gate()
        try withThreads(2) { thread in
            if thread == 0 {
                isHeld.wait()
                observe()
            } else {
                // Taken right after the observer is on the list.
                try store.monitor.withWatchedJournal { _ in
                    isHeld.open()
                    #expect(eventually { store.hasObservers })
                    try body()
                }
            }
        }
    }

    @Test func `a write amid the start of an observer leaves both events to the observing thread`() throws {
        //  the observer                a writer
        //  is on the list
        //                              writes, and returns with nothing delivered
        //  delivers both, and returns
        let suite = suite
        let heard = Recorder<Bool>()
        try amidStart {
            let observation = suite.observe(forKey: "a") { heard.append($0.isInitial) }
            #expect(heard.all == [true, false])
            observation.invalidate()
        } _: {
            try suite.set(1, forKey: "a")
            #expect(heard.all == [])
        }
    }

    @Test func `an observer without an initial event hears a write amid its start from the writer`() throws {
        let suite = suite
        let heard = Recorder<Bool>()
        try amidStart {
            suite.observe(forKey: "a", options: []) { heard.append($0.isInitial) }.invalidate()
        } _: {
            try suite.set(1, forKey: "a")
            #expect(heard.all == [false])
        }
    }

    @Test func `a place of the observer's own gets the initial event first, whoever hands it over`() throws {
        let suite = suite
        let work = Recorder<@Sendable () -> Void>()
        let heard = Recorder<Bool>()
        try amidStart {
            let observation = suite.observe(forKey: "a", on: .custom { work.append($0) }) {
                heard.append($0.isInitial)
            }
            work.all.forEach { $0() }
            #expect(heard.all == [true, false])
            observation.invalidate()
        } _: {
            try suite.set(1, forKey: "a")
            #expect(work.all.count == 1)
        }
    }

    @Test func `what an initial event's handler writes is delivered before observe returns`() throws {
        let suite = suite
        let heard = Recorder<String>()
        let observation = suite.observe(forKey: "a") { change in
            heard.append("a \(change.newValue?.int ?? 0)")
            guard change.isInitial else { return }
            #expect(refusal { try suite.set(1, forKey: "a") } == nil)
            suite.observe(forKey: "a") { heard.append("inner \($0.newValue?.int ?? 0)") }.invalidate()
        }
        #expect(heard.all == ["a 0", "inner 1", "a 1"])
        try suite.set(2, forKey: "a")
        #expect(heard.all.last == "a 2")
        observation.invalidate()
    }

    @Test func `observers that come beside writers have heard their initial event`() throws {
        let suite = suite
        try withThreads(4) { thread in
            for number in 0..<50 {
                guard thread < 2 else {
                    try suite.set(DefaultsValue(number), forKey: "a")
                    continue
                }
                let heard = Recorder<Bool>()
                let observation = suite.observe(forKey: "a") { heard.append($0.isInitial) }
                #expect(heard.all.first == true)
                observation.invalidate()
            }
        }
    }
}
