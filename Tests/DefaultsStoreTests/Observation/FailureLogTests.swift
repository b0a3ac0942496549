/// Failures that nobody can be thrown: told to all who listen.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct FailureLogTests {
    private let log = FailureLog(suite: "s")
    private let heard = Recorder<DefaultsError>()
    private let failure = DefaultsError(.ioFailure, path: "/a", line: 1)
    private var named: DefaultsError { failure.inSuite("s") }

    init() { log.handler = { [heard] in heard.append($0) } }

    @Test func `the handler hears every failure, with the suite's name`() {
        log.report(failure)
        log.report(failure)
        #expect(heard.all == [named, named])
    }

    @Test func `each stream hears every failure from its beginning on`() async {
        var first = log.stream().makeAsyncIterator()
        log.report(failure)
        var second = log.stream().makeAsyncIterator()
        let later = DefaultsError(.diskFull, suite: "s")
        log.report(later)
        #expect([await first.next(), await first.next()] == [named, later])
        #expect(await second.next() == later)
    }

    @Test(.timeLimit(.minutes(60)))
    func `a stream keeps its suite open, and lets it go with its consumer`() async throws {
        let folder = try TemporaryFolder()
        weak var context: SuiteContext?
        do {
            var stream = try folder.suite().failures.makeAsyncIterator()
            let suite = try folder.suite()
            context = suite.context
            suite.context.report(failure)
            #expect(await stream.next() == failure.inSuite("settings"))
        }
        // Another test may just be looking for a suite, and keeps what it finds until it has looked.
        #expect(eventually { context == nil })
    }

    @Test func `a stream keeps the newest 256 that nobody took`() async {
        var stream = log.stream().makeAsyncIterator()
        for line in 1...300 { log.report(DefaultsError(.ioFailure, suite: "s", line: line)) }
        #expect(await stream.next()?.line == 45)
    }

    @Test func `a lasting failure is told once until it is forgotten`() {
        log.reportLasting(failure)
        log.reportLasting(failure)
        #expect(heard.all.count == 1)
        log.forgetLasting(in: .file) { $0.code == .diskFull }
        log.forgetLasting(in: .checkpoints)
        log.reportLasting(failure)
        #expect(heard.all.count == 1)
        log.forgetLasting(in: .file) { $0.code == .ioFailure }
        log.reportLasting(failure)
        #expect(heard.all.count == 2)
    }

    @Test func `one failure of two matters is told for each, and forgotten for each`() {
        log.reportLasting(failure, in: .checkpoints)
        log.reportLasting(failure, in: .waking)
        #expect(heard.all.count == 2)
        log.forgetLasting(in: .waking)
        log.reportLasting(failure, in: .checkpoints)
        #expect(heard.all.count == 2)
        log.reportLasting(failure, in: .waking)
        #expect(heard.all.count == 3)
    }

    @Test func `what a look finds replaces what the one before has found`() {
        let duplicates = ["a", "b", "c"].map { DefaultsError(.duplicateKey, key: $0, line: 1) }
        let moved = ["b", "d"].map { DefaultsError(.duplicateKey, key: $0, line: 2) }
        #expect(log.recordLasting(only: duplicates, in: .file) == duplicates)
        #expect(log.recordLasting(only: moved, in: .file) == [moved[1]])
        #expect(log.recordLasting(only: duplicates, in: .file) == [duplicates[0], duplicates[2]])
        #expect(log.recordLasting(only: [], in: .file) == [])
        #expect(log.recordLasting(only: duplicates, in: .file) == duplicates)
    }

    @Test func `a failure that comes with the suite's name and without it is one`() {
        log.reportLasting(failure)
        log.reportLasting(named)
        #expect(heard.all == [named])
        #expect(log.recordLasting(only: [named], in: .file) == [])
    }

    @Test func `a damaged value that moves to another line is the same failure, another key's is not`() {
        for line in 1...3 { log.reportLasting(DefaultsError(.typeMismatch, key: "a", line: line)) }
        log.reportLasting(DefaultsError(.typeMismatch, key: "b", line: 1))
        #expect(heard.all.map(\.key) == ["a", "b"])
    }

    @Test func `a handler may report and look at the log`() {
        log.handler = { [heard, log] error in
            heard.append(error)
            guard error.code == .ioFailure else { return }
            log.report(DefaultsError(.diskFull))
        }
        log.report(failure)
        #expect(heard.all.map(\.code) == [.ioFailure, .diskFull])
    }

    @Test func `a key that is written may fail again and be told again`() throws {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        let error = DefaultsError(.typeMismatch, key: "a")
        suite.context.failures.reportLasting(error)
        try suite.set(1, forKey: "a")
        suite.context.failures.reportLasting(error)
        #expect(failures.all.count == 2)
    }
}
