/// The environment's values of declared keys are effective values like all others, for observers of all keys too.
import TestSupport
import Testing
import TypedDefaults

@Suite(.ownThread) struct EnvironmentObservationTests {
    private let suite = DefaultsSuite.inMemory()
    private let volume: Defaults.Key<Int>

    init() { volume = Defaults.Key<Int>("volume", default: 1, suite: suite) }

    private func texts(_ changes: [DefaultsChange]) -> [String] {
        changes.map { "\($0.key): \($0.oldValue?.description ?? "-") -> \($0.newValue?.description ?? "-")" }
    }

    @Test func `a variable is heard when it comes, and what it hides is not`() throws {
        let heard = Recorder<[String]>()
        let calls = Recorder<Int>()
        let all = suite.observeAll(options: [.old, .new]) { heard.append(texts($0)) }
        let any = suite.observeAll(options: []) { calls.append(suite[volume]) }
        suite.addEnvironment(prefix: "APP_", in: ["APP_VOLUME": "2"])
        try suite.set(volume, to: 3)
        suite.register(defaults: ["other": 4])
        #expect(heard.all == [["volume: 1 -> 2"], ["other: - -> 4"]])
        #expect(calls.all == [2, 2])
        all.invalidate()
        any.invalidate()
    }

    @Test func `it is among the values that come first`() throws {
        suite.addEnvironment(prefix: "APP_", in: ["APP_VOLUME": "2"])
        let heard = Recorder<[String]>()
        suite.observeAll(options: [.initial, .new]) { heard.append(texts($0)) }.invalidate()
        #expect(heard.all == [["volume: - -> 2"]])
    }

    @Test func `a variable that is no value of its key is none of them`() throws {
        suite.onFailure = { _ in }
        suite.addEnvironment(prefix: "APP_", in: ["APP_VOLUME": "loud"])
        let heard = Recorder<[String]>()
        suite.observeAll(options: [.initial, .new]) { heard.append(texts($0)) }.invalidate()
        #expect(heard.all == [["volume: - -> 1"]])
    }
}
