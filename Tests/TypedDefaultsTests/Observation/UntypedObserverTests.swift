/// Observers by name, of keys that are declared with a default.
import TestSupport
import Testing
import TypedDefaults

@Suite(.ownThread) struct UntypedObserverTests {
    private let suite = DefaultsSuite.inMemory()

    /// What an observer heard: the key, the old value and the new one.
    private func texts(_ changes: [DefaultsChange]) -> [String] {
        changes.map { "\($0.key): \($0.oldValue?.description ?? "-") -> \($0.newValue?.description ?? "-")" }
    }

    @Test func `the defaults of declared keys are among the present values of all`() throws {
        try suite.set(1, forKey: "b")
        let key = Defaults.Key<Int>("a", default: 7, suite: suite)
        _ = Defaults.OptionalKey<Int>("c", suite: suite)
        let heard = Recorder<[String]>()
        let observation = suite.observeAll { heard.append(texts($0)) }
        try suite.set(key, to: 8)
        observation.invalidate()
        #expect(heard.all == [["a: 7 -> 7", "b: 1 -> 1"], ["a: 7 -> 8"]])
    }

    @Test(
        arguments: [
            ([], "a: 1 -> 2"), ([.initial], "a: 1 -> 2"), ([.old, .new], "a: 1 -> 2"), ([.old], "a: 1 -> -"),
            ([.new], "a: - -> 2"),
        ] as [(DefaultsObservationOptions, String)])
    func `changes carry the values that are requested, and both where none is`(
        _ options: DefaultsObservationOptions, _ text: String
    ) throws {
        try suite.set(1, forKey: "a")
        let (one, all) = (Recorder<String>(), Recorder<String>())
        let observations = [
            suite.observe(forKey: "a", options: options) { one.append(texts([$0])[0]) },
            suite.observeAll(options: options) { texts($0).forEach { all.append($0) } },
        ]
        try suite.set(2, forKey: "a")
        #expect(one.all.last == text && all.all.last == text)
        observations.forEach { $0.invalidate() }
    }

    @Test func `a default that came later, or is another one at each use, breaks no chain`() throws {
        let (one, all) = (Recorder<String>(), Recorder<String>())
        let observations = [
            suite.observe(forKey: "a") { one.append(texts([$0])[0]) },
            suite.observeAll { texts($0).forEach { all.append($0) } },
        ]
        let uses = Locked(0)
        let key = Defaults.Key<Int>(
            "a",
            default: uses.withLock {
                $0 += 1
                return $0
            }, suite: suite)
        try suite.set(key, to: 100)
        try suite.removeValue(forKey: "a")
        try suite.set(key, to: 200)
        for observation in observations { observation.invalidate() }
        #expect(one.all.first == "a: - -> -")
        #expect(one.all.dropFirst().first == "a: - -> 100")
        #expect(all.all.last?.hasSuffix(" -> 200") == true)
        for heard in [one, all] {
            let ends = heard.all.map { $0.dropFirst(3).split(separator: " -> ") }
            for (event, next) in zip(ends, ends.dropFirst()) { #expect(event[1] == next[0]) }
        }
    }

    @Test(arguments: [[.initial, .old, .new], [.old, .new]] as [DefaultsObservationOptions])
    func `what was told as gone is the next old value, though a default has come since`(
        options: DefaultsObservationOptions
    ) throws {
        try suite.set(1, forKey: "a")
        let heard = Recorder<[String]>()
        let observation = suite.observeAll(options: options) { heard.append(texts($0)) }
        try suite.removeValue(forKey: "a")
        let keys = ["a", "b"].map { Defaults.Key<Int>($0, default: 7, suite: suite) }
        try suite.set(keys[0], to: 8)
        if options.contains(.initial) { try suite.set(keys[1], to: 9) }
        observation.invalidate()
        let expected = [["a: 1 -> 1"], ["a: 1 -> -"], ["a: - -> 8"], ["b: - -> 9"]]
        #expect(heard.all == (options.contains(.initial) ? expected : Array(expected[1...2])))
    }

    @Test func `a change to what the default has become since is told`() throws {
        let heard = Recorder<String>()
        let observation = suite.observe(forKey: "size") { heard.append(texts([$0])[0]) }
        let size = Defaults.Key<Int>("size", default: 12, suite: suite)
        try suite.set(size, to: 12)
        try suite.set(size, to: 13)
        observation.invalidate()
        #expect(heard.all == ["size: - -> -", "size: - -> 12", "size: 12 -> 13"])
    }
}
