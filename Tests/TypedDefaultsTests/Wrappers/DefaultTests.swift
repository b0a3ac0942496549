import Observation
import TestSupport
import Testing
import TypedDefaults

extension Defaults.Keys {
    fileprivate static let wrapped = DefaultsSuite.inMemory()
    fileprivate static let inStruct = Key<Int>("inStruct", default: 1, suite: wrapped)
    fileprivate static let inClass = Key<[Int]>("inClass", default: [], suite: wrapped)
    fileprivate static let inActor = Key<Int>("inActor", default: 1, suite: wrapped)
    fileprivate static let inModel = Key<Int>("inModel", default: 1, suite: wrapped)
    fileprivate static let inSendable = Key<Int>("inSendable", default: 1, suite: wrapped)
    fileprivate static let optional = OptionalKey<String>("optional", suite: wrapped)
}

private struct Settings {
    @Default(.inStruct) var number
    @Default(.optional) var name
}

private class Panel {
    @Default(.inClass) var numbers
}

private actor Player {
    @Default(.inActor) var volume

    func turnUp() -> Int {
        volume += 1
        return volume
    }
}

@MainActor @Observable private final class Model {
    @ObservationIgnored @Default(.inModel) var number
    var other = 0
}

private final class Shared: Sendable {
    var number: Int {
        get { Defaults[.inSendable] }
        set { Defaults[.inSendable] = newValue }
    }
}

/// `@Default` in every kind of type it is for.
@Suite(.ownThread) struct DefaultTests {
    @Test func `a struct's property reads and writes the key, even in a constant`() {
        let settings = Settings()
        settings.number = 5
        settings.number += 1
        #expect(settings.number == 6)
        #expect(Defaults[.inStruct] == 6)
    }

    @Test func `an optional property is nil until it is set`() {
        let settings = Settings()
        #expect(settings.name == nil)
        settings.name = "Ann"
        settings.name?.append("e")
        #expect(Defaults[.optional] == "Anne")
    }

    @Test func `a class's property is changed in place`() {
        let panel = Panel()
        panel.numbers.append(1)
        panel.numbers.append(2)
        #expect(Defaults[.inClass] == [1, 2])
    }

    @Test func `an actor's property is the actor's`() async {
        let player = Player()
        #expect(await player.turnUp() == 2)
        #expect(await player.volume == 2)
    }

    @MainActor @Test func `an observable model's property is read and written`() {
        let model = Model()
        model.number += 1
        #expect(model.number == 2)
        #expect(Defaults[.inModel] == 2)
    }

    @Test func `a Sendable class has a computed property over the key`() {
        let shared = Shared()
        shared.number += 1
        #expect(Defaults[.inSendable] == 2)
    }
}

/// What `$property` gives.
@Suite(.ownThread) struct DefaultProjectionTests {
    private let suite = DefaultsSuite.inMemory()
    private let size: Default<Int>

    init() { size = Default(Defaults.Key<Int>("size", default: 1, suite: suite)) }

    @Test func `the projection knows the key`() {
        #expect(size.projectedValue.key == Defaults.Key<Int>("size", default: 1, suite: suite))
    }

    @Test func `the projection says whether a value is stored and resets it`() {
        #expect(!size.projectedValue.isSet)
        size.wrappedValue = 5
        #expect(size.projectedValue.isSet)
        size.projectedValue.reset()
        #expect(!size.projectedValue.isSet)
        #expect(size.wrappedValue == 1)
    }

    @Test func `the projection says whether the value is the default`() {
        size.wrappedValue = 5
        #expect(!size.projectedValue.isDefaultValue)
        size.wrappedValue = 1
        #expect(size.projectedValue.isDefaultValue)
    }

    @Test func `the projection observes the key`() {
        let events = Recorder<Change>()
        let observation = size.projectedValue.observe { events.append(Change($0)) }
        size.wrappedValue = 5
        #expect(events.all == [Change(old: 1, new: 1, isInitial: true), Change(old: 1, new: 5)])
        observation.invalidate()
    }

    @MainActor @Test func `the projection observes the key on the main actor too`() async {
        let events = AsyncStream.makeStream(of: Change.self)
        var heard: [Change] = []
        let observation = size.projectedValue.observe(options: [], on: .mainActor) { change in
            heard.append(Change(change))
            events.continuation.yield(Change(change))
        }
        size.wrappedValue = 5
        // The main actor is here.
        #expect(heard == [])
        for await _ in events.stream.prefix(1) {}
        #expect(heard == [Change(old: 1, new: 5)])
        observation.invalidate()
    }

    @Test func `the projection gives the values as they change`() async {
        var values = size.projectedValue.updates.makeAsyncIterator()
        #expect(await values.next() == 1)
        size.wrappedValue = 5
        #expect(await values.next() == 5)
    }
}
