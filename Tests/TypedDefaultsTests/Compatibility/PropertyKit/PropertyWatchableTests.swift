import Dispatch
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

extension Defaults {
    fileprivate var watchedSize: Int {
        get { get(or: 1) }
        nonmutating set { set(newValue) }
    }
}

/// An object over one suite.
private final class Panel: PropertyWatchable, Sendable {
    let suite: DefaultsSuite
    private let width: Defaults.Key<Int>
    private let height: Defaults.Key<Int>

    init(_ suite: DefaultsSuite = .inMemory()) {
        self.suite = suite
        width = Defaults.Key("width", default: 1, suite: suite)
        height = Defaults.Key("height", default: 1, suite: suite)
    }

    var size: Int {
        get { Defaults[width] }
        set { Defaults[width] = newValue }
    }
    var area: Int { suite[width] * Default(height).wrappedValue }
    func grow(to number: Int) { Defaults[height] = number }
}

@MainActor private final class Player: PropertyWatchable {
    @Watched var title = "none"
    @Watched var volume = 1
    var loud: Bool { volume > 10 }
}

/// `watch` with all it can be told.
@Suite(.ownThread) struct PropertyWatchableTests {
    private let panel = Panel()
    private let heard = Recorder<Change>()

    @Test func `a watch hears each change with this target and both values`() {
        panel.watch(\.size) { [heard] target, change in
            heard.append(
                Change(
                    old: change.oldValue, new: change.newValue, isInitial: target.size != change.newValue))
        }
        panel.size = 2
        panel.size = 2
        panel.size = 5
        #expect(heard.all == [Change(old: 1, new: 2), Change(old: 2, new: 5)])
    }

    /// Reading it for the first time changes it, as another thread may at that moment.
    private final class Restless: PropertyWatchable, Sendable {
        private let key = Defaults.Key("restless", default: 1, suite: .inMemory())
        private let reads = Recorder<Int>()
        var number: Int {
            get {
                let value = Defaults[key]
                reads.append(value)
                if reads.all.count == 1 { Defaults[key] = 2 }
                return value
            }
            set { Defaults[key] = newValue }
        }
    }

    @Test(arguments: [false, true])
    func `a change between the look at what a property rests on and the watch is told`(_ isInitial: Bool) {
        let restless = Restless()
        restless.watch(\.number, options: isInitial ? [.initial] : []) { [heard] _, change in
            heard.append(Change(change))
        }
        restless.number = 1
        let first = isInitial ? Change(old: 2, new: 2, isInitial: true) : Change(old: 1, new: 2)
        #expect(heard.all == [first, Change(old: 2, new: 1)])
    }

    @Test func `a watch without parameters is called for each change`() {
        let calls = Recorder<Int>()
        panel.watch(\.size) { calls.append(1) }
        #expect(calls.all == [])
        panel.size = 2
        #expect(calls.all == [1])
    }

    @Test func `an initial event comes at once where it is asked for`() {
        panel.size = 3
        panel.watch(\.size, options: [.initial]) { [heard] _, change in heard.append(Change(change)) }
        #expect(heard.all == [Change(old: 3, new: 3, isInitial: true)])
    }

    @Test func `a watch may be ended in its initial event`() {
        panel.watch(\.size, id: "mine", options: [.initial]) { [heard] target, change in
            heard.append(Change(change))
            #expect(target.unwatch(\.size, forIds: ["mine"]))
        }
        panel.size = 3
        #expect(heard.all == [Change(old: 1, new: 1, isInitial: true)])
        #expect(!panel.unwatch(\.size))
    }

    @Test func `a property that is computed from several keys is heard when one of them changes it`() {
        panel.watch(\.area) { [heard] _, change in heard.append(Change(change)) }
        panel.size = 4
        panel.grow(to: 2)
        #expect(heard.all == [Change(old: 1, new: 4), Change(old: 4, new: 8)])
    }

    @Test func `after a quiet change the values go on as a chain, of a computed property too`() {
        panel.watch(\.area) { [heard] _, change in heard.append(Change(change)) }
        Defaults.withoutPropagation { panel.size = 2 }
        panel.size = 1
        #expect(heard.all == [])
        Defaults.withoutPropagation { panel.size = 2 }
        panel.grow(to: 5)
        panel.size = 1
        #expect(heard.all == [Change(old: 1, new: 10), Change(old: 10, new: 5)])
    }

    @Test func `two lines are two watches, and one line run twice is one`() {
        for number in 1...2 {
            panel.watch(\.size) { [heard] in heard.append(Change(old: 1, new: number)) }
        }
        panel.watch(\.size) { [heard] in heard.append(Change(old: 2, new: 0)) }
        panel.size = 5
        #expect(Set(heard.all) == [Change(old: 1, new: 2), Change(old: 2, new: 0)])
        #expect(heard.all.count == 2)
    }

    @Test func `one identifier is one watch of a property, wherever it stands`() {
        panel.watch(\.size, id: "mine") { [heard] in heard.append(Change(old: 1, new: 1)) }
        panel.watch(\.size, id: "mine") { [heard] in heard.append(Change(old: 2, new: 2)) }
        panel.size = 5
        #expect(heard.all == [Change(old: 2, new: 2)])
    }

    @Test func `one line run for two targets is two watches`() {
        let panels = [Panel(), Panel()]
        for panel in panels { panel.watch(\.size) { [heard] _, change in heard.append(Change(change)) } }
        for (number, panel) in panels.enumerated() { panel.size = number + 5 }
        #expect(heard.all == [Change(old: 1, new: 5), Change(old: 1, new: 6)])
    }

    @Test func `a watch of Defaults belongs to the suite`() {
        let suite = DefaultsSuite.inMemory()
        Defaults(suite: suite).watch(\.watchedSize) { [heard] target, change in heard.append(Change(change)) }
        Defaults(suite: .inMemory()).watchedSize = 9
        Defaults(suite: suite).watchedSize += 1
        #expect(heard.all == [Change(old: 1, new: 2)])
        Defaults(suite: suite).unwatch(\.watchedSize)
        Defaults(suite: suite).watchedSize += 1
        #expect(heard.all == [Change(old: 1, new: 2)])
    }

    @Test func `a handler is called on the queue it chose`() {
        let queue = DispatchQueue(label: "watch")
        let mark = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: mark, value: true)
        let onQueue = Recorder<Bool>()
        panel.watch(\.size, on: .queue(queue)) {
            onQueue.append(DispatchQueue.getSpecific(key: mark) ?? false)
        }
        panel.size = 5
        #expect(onQueue.wait(for: 1))
        #expect(onQueue.all == [true])
    }

    @Test func `a watch ends with its target`() throws {
        let suite = DefaultsSuite.inMemory()
        weak var gone: Panel?
        do {
            let panel = Panel(suite)
            gone = panel
            panel.watch(\.size) { [heard] _, change in heard.append(Change(change)) }
            panel.size = 2
        }
        // A background thread may be looking whether it is still there.
        #expect(eventually { gone == nil })
        Panel(suite).size = 3
        #expect(heard.all == [Change(old: 1, new: 2)])
        #expect(try eventually { try !suite.hasObservers })
    }
}

/// The ends of watches.
@Suite(.ownThread) struct UnwatchTests {
    private let panel = Panel()
    private let heard = Recorder<String>()

    init() {
        panel.watch(\.size) { [heard] in heard.append("line") }
        panel.watch(\.size, id: "mine") { [heard] in heard.append("mine") }
        panel.watch(\.area, id: "mine") { [heard] in heard.append("area") }
        panel.watch(\.size, id: "elsewhere", file: "Other/File.swift") { [heard] in heard.append("elsewhere")
        }
    }

    /// What is still heard.
    private var remaining: [String] {
        panel.size += 1
        return heard.all.sorted()
    }

    @Test func `all are heard as long as nothing ends`() {
        #expect(remaining == ["area", "elsewhere", "line", "mine"])
    }

    @Test func `one identifier of one property`() {
        #expect(panel.unwatch(\.size, forIds: ["mine"]))
        #expect(remaining == ["area", "elsewhere", "line"])
        #expect(!panel.unwatch(\.size, forIds: ["mine"]))
    }

    @Test func `one identifier of all properties`() {
        #expect(panel.unwatch(forIds: ["mine"]))
        #expect(remaining == ["elsewhere", "line"])
    }

    @Test func `all of one property`() {
        panel.unwatch(\.size)
        #expect(remaining == ["area"])
    }

    @Test func `all of this file`() {
        #expect(panel.unwatchAllFilePrivate())
        #expect(remaining == ["elsewhere"])
        #expect(!panel.unwatchAllFilePrivate())
    }

    @Test func `all of this file and one property`() {
        panel.unwatchAllFilePrivate(\.size)
        #expect(remaining == ["area", "elsewhere"])
    }

    @Test func `all, and the observations with them`() throws {
        panel.unwatchAll()
        #expect(remaining == [])
        try #expect(!panel.suite.hasObservers)
    }
}

/// Properties kept in memory, in an object of the main actor.
@MainActor @Suite(.ownThread) struct WatchedTests {
    private let player = Player()

    @Test func `a watched property hears its changes on the main actor`() async {
        let heard = Recorder<[String]>()
        player.watch(\.title, on: .mainActor) { player, change in
            heard.append([change.oldValue, change.newValue, player.title])
        }
        player.title = "Air"
        #expect(await heard.wait(for: 1))
        player.title = "Water"
        #expect(await heard.wait(for: 2))
        #expect(heard.all == [["none", "Air", "Air"], ["Air", "Water", "Water"]])
    }

    @Test func `a property computed from a watched one is heard when it changes`() async {
        let heard = Recorder<Bool>()
        player.watch(\.loud, on: .mainActor) { _, change in heard.append(change.newValue) }
        player.volume = 5
        player.volume = 11
        #expect(await heard.wait(for: 1))
        player.volume = 2
        #expect(await heard.wait(for: 2))
        #expect(heard.all == [true, false])
    }

    @Test func `a watched property is a property`() {
        player.volume += 4
        #expect(player.volume == 5)
    }
}
