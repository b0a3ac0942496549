import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

/// A property for each way to read a key.
private final class Readings: PropertyWatchable, Sendable {
    let suite = DefaultsSuite.inMemory()
    let number: Defaults.Key<Int>
    private let other: Defaults.Key<Int>

    init() {
        number = Defaults.Key("number", default: 0, suite: suite)
        other = Defaults.Key("other", default: 1, suite: suite)
    }

    var throwing: Int {
        do { return Defaults[other] + (try suite.value(number)) } catch { return -1 }
    }
    var whetherSet: Int { Defaults[other] + (Defaults.isSet(number) ? 1 : 0) }
    var whetherDefault: Int { Defaults[other] + (Defaults.isDefaultValue(number) ? 0 : 1) }
}

/// A property that is no number for as long as nothing is stored.
private final class Gauge: PropertyWatchable, Sendable {
    private let key: Defaults.Key<Double>
    private let later: Double?
    private let reads = Recorder<Double>()

    /// Makes a gauge; the first read of its level is followed by a change, as another thread may make one then.
    init(later: Double? = nil) {
        key = Defaults.Key("level", default: .nan, suite: .inMemory())
        self.later = later
    }

    var level: Double {
        get {
            let level = Defaults[key]
            reads.append(level)
            if let later, reads.all.count == 1 { Defaults[key] = later }
            return level
        }
        set { Defaults[key] = newValue }
    }
}

/// What a watch finds out about its property.
@Suite(.ownThread) struct WatchReadTests {
    private let heard = Recorder<String>()

    @Test(
        arguments: [\Readings.throwing, \.whetherSet, \.whetherDefault]
            as [any KeyPath<Readings, Int> & Sendable])
    private func `a key applies however a property reads it`(_ path: any KeyPath<Readings, Int> & Sendable) {
        let readings = Readings()
        readings.watch(path) { [heard] _, change in heard.append("\(change.oldValue) \(change.newValue)") }
        Defaults[readings.number] = 1
        Defaults.reset(readings.number)
        #expect(heard.all == ["1 2", "2 1"])
    }

    @Test func `a value that does not equal itself tells nothing before it changes`() {
        let gauge = Gauge()
        gauge.watch(\.level) { [heard] _, change in heard.append("\(change.oldValue) \(change.newValue)") }
        #expect(heard.all == [])
        gauge.level = 5
        #expect(heard.all == ["nan 5.0"])
    }

    @Test func `its change between the look at what it rests on and the watch is told`() {
        Gauge(later: 5).watch(\.level) { [heard] _, change in
            heard.append("\(change.oldValue) \(change.newValue)")
        }
        #expect(heard.all == ["nan 5.0"])
    }
}
