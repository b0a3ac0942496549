import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

/// An object over one key.
private final class Dial: PropertyWatchable, Sendable {
    private let key: Defaults.Key<Int>

    init(_ key: Defaults.Key<Int> = Defaults.Key("number", default: 1, suite: .inMemory())) { self.key = key }

    var number: Int {
        get { Defaults[key] }
        set { Defaults[key] = newValue }
    }
}

/// A part of a dial that counts how often it is compared with another.
private struct Channel: Hashable {
    let number: Int
    let comparisons: Recorder<Int>

    static func == (left: Channel, right: Channel) -> Bool {
        left.comparisons.append(right.number)
        return left.number == right.number
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension Dial {
    fileprivate subscript(channel: Channel) -> Int { number + channel.number }
}

/// A controller as people write it, which ends its watches in its base class.
@MainActor private class Screen: PropertyWatchable {
    @Watched var title = "none"

    func stop() { unwatchAll() }
    func stopOfFile() -> Bool { unwatchAllFilePrivate() }
    func stop(id: String) -> Bool { unwatch(forIds: [id]) }
    func followInBase() { watch(\.title, id: "base", on: .mainActor) {} }
}

@MainActor private final class Editor: Screen {
    func follow() { watch(\.title, id: "mine", on: .mainActor) {} }
}

/// Which watches there are, and which one replaces another.
@Suite(.ownThread) struct WatchListTests {
    private let dial = Dial()
    private let heard = Recorder<String>()

    /// One line that watches; it runs a body in its initial event.
    private func follow(_ name: String, initially body: @escaping @Sendable () -> Void = {}) {
        dial.watch(\.number, options: [.initial]) { [heard] _, change in
            if change.isInitial { body() } else { heard.append(name) }
        }
    }

    @Test(arguments: [false, true])
    func `of a line that runs again before its watch has begun, the later watch stays`(_ isOnThread: Bool) {
        follow("first") {
            guard isOnThread else { return follow("second") }
            withThreads(1) { _ in follow("second") }
        }
        dial.number = 5
        #expect(heard.all == ["second"])
        #expect(dial.unwatch(\.number))
        #expect(!dial.unwatch(\.number))
    }

    @Test func `a watch that its own observation has ended is no longer there`() {
        weak var ended: DefaultsObservation?
        do {
            let observation = dial.watch(\.number) {}
            ended = observation
            observation.invalidate()
        }
        #expect(ended == nil)
        #expect(!dial.unwatch(\.number))
    }

    @Test func `a watch that ended with an object of its own choice is no longer there`() {
        weak var ended: DefaultsObservation?
        do {
            let other = Recorder<Int>()
            let observation = dial.watch(\.number) {}
            ended = observation
            observation.tieToLifetime(of: other)
        }
        #expect(eventually { ended == nil })
        #expect(!dial.unwatch(\.number))
    }

    @Test func `of many watches of one target, each is begun and ended without a look at the others`() {
        let comparisons = Recorder<Int>()
        for number in 0..<100 {
            let channel = Channel(number: number, comparisons: comparisons)
            dial.watch(\.[channel], id: "\(number / 2)") { [heard] in heard.append("\(number)") }
        }
        #expect(comparisons.all.count < 100)
        dial.number = 5
        #expect(heard.all.count == 100)
        for id in 0..<50 { #expect(dial.unwatch(forIds: ["\(id)"])) }
        #expect(comparisons.all.count < 100)
        dial.number = 6
        #expect(heard.all.count == 100)
    }

    @Test func `a watch of an object that is gone is none of a new object at its address`() {
        let key = Defaults.Key<Int>("number", default: 1, suite: .inMemory())
        do {
            let dials = (0..<200).map { _ in Dial(key) }
            for dial in dials { dial.watch(\.number) {} }
        }
        let dials = (0..<200).map { _ in Dial(key) }
        #expect(dials.allSatisfy { !$0.unwatch(\.number) })
    }
}

/// Watches of one object that are begun and ended in its class and in its base class.
@MainActor @Suite(.ownThread) struct WatchInheritanceTests {
    private let editor = Editor()

    @Test func `a base class ends all watches of its object`() {
        editor.follow()
        editor.stop()
        #expect(!editor.unwatch(forIds: ["mine"]))
    }

    @Test func `a base class ends the watches with an identifier`() {
        editor.follow()
        #expect(editor.stop(id: "mine"))
        #expect(!editor.unwatch(forIds: ["mine"]))
    }

    @Test func `a base class ends the watches of a file`() {
        editor.follow()
        #expect(editor.stopOfFile())
        #expect(!editor.unwatch(forIds: ["mine"]))
    }

    @Test func `a class ends the watches that its base class has begun`() {
        editor.followInBase()
        editor.unwatchAll()
        #expect(!editor.stop(id: "base"))
    }
}

/// Watches that several threads begin.
@Suite(.ownThread) struct WatchConcurrencyTests {
    @Test func `one line that two threads run at once is one watch`() {
        for _ in 0..<500 {
            let dial = Dial()
            let calls = Recorder<Int>()
            withThreads(2) { _ in dial.watch(\.number) { calls.append(1) } }
            dial.number = 5
            #expect(calls.all == [1])
        }
    }
}
