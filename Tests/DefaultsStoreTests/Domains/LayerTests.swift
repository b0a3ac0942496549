/// The layers that sources of default values own in the registration domain.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct LayerTests {
    private let suite = DefaultsSuite.inMemory()

    private func observing(_ key: String) -> (Recorder<DefaultsChange>, DefaultsObservation) {
        let events = Recorder<DefaultsChange>()
        return (events, suite.observe(forKey: key, options: [.old, .new]) { events.append($0) })
    }

    @Test func `a layer answers before registered values and after stored ones`() throws {
        suite.register(defaults: ["a": 1, "b": 1, "c": 1])
        suite.context.setLayer("source", values: ["b": 2, "c": 2], location: nil)
        try suite.set(3, forKey: "c")
        #expect(suite.dictionaryRepresentation() == ["a": 1, "b": 2, "c": 3])
        #expect(suite.domain(forKey: "b") == .registered)
    }

    @Test func `the layer set last answers first`() {
        suite.context.setLayer("one", values: ["a": 1], location: nil)
        suite.context.setLayer("two", values: ["a": 2], location: nil)
        #expect(suite.value(forKey: "a") == 2)
        suite.context.setLayer("one", values: ["a": 3], location: nil)
        #expect(suite.value(forKey: "a") == 3)
    }

    @Test func `a layer that keeps its place is replaced below the ones above it`() {
        suite.context.setLayer("one", values: ["a": 1], location: nil)
        suite.context.setLayer("two", values: ["a": 2], location: nil)
        suite.context.setLayer("one", values: ["a": 3], location: nil, keepsPlace: true)
        #expect(suite.value(forKey: "a") == 2)
        suite.context.setLayer("two", values: [:], location: nil, keepsPlace: true)
        #expect(suite.value(forKey: "a") == 3)
    }

    @Test func `a layer is replaced as a whole`() {
        suite.context.setLayer("one", values: ["a": 1, "b": 1], location: nil)
        suite.context.setLayer("one", values: ["b": 2], location: "/etc/defaults.json")
        #expect(suite.dictionaryRepresentation() == ["b": 2])
        #expect(suite.context.layers.map(\.name) == ["one"])
        #expect(suite.context.layers.map(\.location) == ["/etc/defaults.json"])
    }

    @Test func `a value that no file could hold is reported and left out of its layer, the others count`() {
        let failures = FailureRecorder(suite)
        suite.context.setLayer("one", values: ["a": 1, "": 2], location: nil)
        #expect(suite.dictionaryRepresentation() == ["a": 1])
        #expect(failures.codes == [.invalidKey])
    }

    @Test func `an observer hears a layer that changes the effective value, with the source's name`() {
        let (events, observation) = observing("a")
        suite.context.setLayer("remote", values: ["a": 1], location: nil)
        suite.context.setLayer("remote", values: ["a": 1], location: nil)
        suite.context.setLayer("remote", values: [:], location: nil)
        #expect(events.all.map(\.newValue) == [1, nil])
        #expect(events.all.map(\.cause) == [.defaultsChanged("remote"), .defaultsChanged("remote")])
        observation.invalidate()
    }

    /// All that an observer of every key hears, as key and new value.
    private func observingAll() -> (Recorder<[String: DefaultsValue?]>, DefaultsObservation) {
        let events = Recorder<[String: DefaultsValue?]>()
        let observation = suite.observeAll(options: [.new]) { changes in
            events.append(Dictionary(uniqueKeysWithValues: changes.map { ($0.key, $0.newValue) }))
        }
        return (events, observation)
    }

    @Test func `an observer of all hears what differs from the layer before, locked values included`() throws
    {
        try suite.set(7, forKey: "stored")
        suite.context.setLayer("one", values: ["a": 1, "b": 1, "c": 1, "stored": 1], location: nil)
        let (events, observation) = observingAll()
        suite.context.setLayer(
            "one", values: ["a": 1, "b": 2, "d": 1, "stored": 2], locked: ["e": 1], location: nil)
        suite.context.setLayer(
            "one", values: ["a": 1, "b": 2, "d": 1, "$schema": "x"], locked: ["e": 1, "b": 3], location: nil)
        suite.context.setLayer("one", values: ["a": 1, "b": 2, "d": 1], locked: ["b": 3], location: nil)
        #expect(events.all == [["b": 2, "c": nil, "d": 1, "e": 1], ["b": 3], ["e": nil]])
        observation.invalidate()
    }

    @Test func `a layer that comes to the front is heard though its values are what they were`() {
        suite.context.setLayer("one", values: ["a": 1, "b": 1], location: nil)
        suite.context.setLayer("two", values: ["a": 2], location: nil)
        let (events, observation) = observingAll()
        suite.context.setLayer("one", values: ["a": 1, "b": 1], location: nil, keepsPlace: true)
        suite.context.setLayer("one", values: ["a": 1, "b": 1], location: nil)
        #expect(events.all == [["a": 1]])
        observation.invalidate()
    }

    @Test func `a new layer is heard with all it has`() {
        let (events, observation) = observingAll()
        suite.context.setLayer("one", values: ["a": 1], locked: ["b": 1], location: nil)
        suite.context.setLayer("two", values: ["a": 2, "b": 2, "c": 2], location: nil)
        #expect(events.all == [["a": 1, "b": 1], ["a": 2, "c": 2]])
        observation.invalidate()
    }

    @Test func `an observer hears nothing of a layer that a stored value hides`() throws {
        try suite.set(1, forKey: "a")
        let (events, observation) = observing("a")
        suite.context.setLayer("remote", values: ["a": 2], location: nil)
        #expect(events.all == [])
        try suite.removeValue(forKey: "a")
        #expect(events.all.map(\.newValue) == [2])
        observation.invalidate()
    }

    @Test func `a layer set inside a transaction is heard when the transaction has given its locks back`()
        throws
    {
        let writes = Recorder<DefaultsError?>()
        let observation = suite.observe(forKey: "a", options: []) { [suite] _ in
            writes.append(refusal { try suite.set(1, forKey: "fromTheHandler") })
        }
        try suite.withTransaction { tx in
            suite.context.setLayer("remote", values: ["a": 1], location: nil)
            #expect(tx[key: "a"] == 1)
            #expect(writes.all == [])
        }
        #expect(writes.all == [nil])
        #expect(suite.value(forKey: "fromTheHandler") == 1)
        observation.invalidate()
    }
}
