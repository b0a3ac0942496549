/// What is noticed while something is loaded for the observers is loaded behind that, by the thread that is at it.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .ownThread) struct NoticedMeanwhileTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let store: SuiteStore

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        store = try suite.core.store()
        try suite.set(1, forKey: "a")
        try suite.checkpoint()
    }

    private var catchingUp: SuiteStore.CatchingUp { store.order.withLock { $0.catchingUp } }

    @Test func `a notice in the middle of a load is not taken for one that the load has seen`() throws {
        let heard = Recorder<DefaultsValue?>()
        let observation = suite.observe(key: "a", options: [.new]) { heard.append($0.newValue) }
        defer { observation.invalidate() }
        #expect(eventually { catchingUp == .idle })
        store.order.withLock { $0.catchingUp = .loading }
        try folder.saveByRename(#"{"a": 2}"#)
        #expect(eventually { catchingUp == .loadingInVain })
        // Nobody else begins; the one who is at it would.
        store.catchUpSoon()
        #expect(catchingUp == .loadingInVain && heard.all.isEmpty)
        store.order.withLock { $0.catchingUp = .idle }
        store.catchUpSoon()
        #expect(heard.wait(for: 1))
        #expect(heard.all == [2])
    }

    @Test func `of saves that follow each other at once each last one is heard, and loading comes to rest`()
        throws
    {
        let heard = Recorder<DefaultsValue?>()
        let observation = suite.observe(key: "a", options: [.new]) { heard.append($0.newValue) }
        defer { observation.invalidate() }
        suite.onFailure = { _ in }
        for number in 2...6 {
            try folder.saveByRename("{")
            try folder.saveByRename("{\"a\": \(number)}")
            #expect(heard.wait(for: number - 1))
            #expect(eventually { catchingUp == .idle })
        }
        #expect(heard.all == [2, 3, 4, 5, 6])
    }
}
