import Synchronization
import Testing
import TypedDefaults
import TypedDefaultsCompatibility
import TypedDefaultsTesting
import Volume

/// 64 cases of one test that are all in it at the same time.
@Suite(.isolatedDefaults, .timeLimit(.minutes(5))) struct MixerTests {
    static let meeting = Meeting(of: 64)

    @Test(arguments: 10..<74) func `nobody hears another's volume`(number: Int) async throws {
        let mixer = Mixer()
        #expect(mixer.volume == 5)

        let heard = Heard()
        let observation = Defaults.observe(.volume, options: []) { heard.add($0.newValue) }
        var updates = Defaults.updates(.volume).makeAsyncIterator()
        #expect(await updates.next() == 5)
        let container = SettingsContainer(suite: .standard)
        container.register { userDefault("room.size", default: .local(0)) }
        var room = Room()
        try room.load()

        Defaults[.volume] = number
        container["room.size"] = number
        room.name = "room \(number)"
        try room.update()
        await MixerTests.meeting.waitForAll()

        mixer.louder()
        #expect(Defaults[.volume] == number + 1)
        #expect(DefaultsSuite.standard.integer(forKey: "volume") == number + 1)
        #expect(heard.values == [number, number + 1])
        #expect(await updates.next() == number + 1)
        let size: Int = container["room.size"]
        #expect(size == number)
        var same = Room()
        try same.load()
        #expect(same.name == "room \(number)")
        observation.invalidate()
    }

    @Test func `a child task has the test's settings, and a detached one the program's`() async {
        Defaults[.volume] = 50
        async let child = Defaults[.volume]
        #expect(await child == 50)
        let detached = Task.detached { DefaultsSuite.standard.path }
        #expect(await detached.value != nil)
        #expect(DefaultsSuite.standard.path == nil)
    }
}

/// Ends with the body, however it ends.
@Suite struct EndTests {
    struct Interruption: Error {}

    @Test func `a throw ends the replacement`() {
        let suite = DefaultsSuite.inMemory()
        let key = Defaults.Key<Int>("n", default: 0, suite: suite)
        #expect(throws: Interruption.self) {
            try Defaults.withSuite(suite, replacedBy: .inMemory()) {
                Defaults[key] = 1
                throw Interruption()
            }
        }
        #expect(Defaults[key] == 0)
    }
}

/// Lets nobody pass before all have come.
final class Meeting: Sendable {
    private struct State {
        var missing: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(of count: Int) { state = Mutex(State(missing: count)) }

    func waitForAll() async {
        await withCheckedContinuation { continuation in
            let all = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                state.missing -= 1
                state.waiting.append(continuation)
                return state.missing == 0 ? state.waiting : []
            }
            all.forEach { $0.resume() }
        }
    }
}

final class Heard: Sendable {
    private let all = Mutex<[Int]>([])

    var values: [Int] { all.withLock { $0 } }

    func add(_ value: Int) { all.withLock { $0.append(value) } }
}
