// The shapes of observation and of property wrappers.
import Dispatch
import Observation
import TypedDefaults

nonisolated extension Defaults.Keys {
    static let volume = Key<Double>("volume", default: 0.5)
    static let title = OptionalKey<String>("title")
}

final class Window {
    init() {
        Defaults.observe(.volume) { change in print(change.oldValue, change.newValue) }.tieToLifetime(
            of: self)
    }
}

struct View {
    @Default(.volume) var volume
    @Default(.title) var title

    func show() {
        volume += 0.1
        title = nil
        $volume.reset()
        print($volume.isSet, $volume.isDefaultValue)
    }
}

actor Player {
    @Default(.volume) var volume
    func turnUp() { volume += 0.1 }
}

@MainActor @Observable final class Model {
    @ObservationIgnored @Default(.volume) var volume
    var isPlaying = false
}

nonisolated final class Shared: Sendable {
    var volume: Double {
        get { Defaults[.volume] }
        set { Defaults[.volume] = newValue }
    }
}

@MainActor final class Panel {
    private var shown = 0.0

    func start() -> Defaults.Observation {
        Defaults.observe(.volume, options: [.initial, .new], on: .mainActor) { [weak self] change in
            self?.shown = change.newValue
        }
    }
}

func observe() async {
    let first = Defaults.observe([.volume, .title], options: []) {}
    let second = Defaults.observe(.volume, .title) {}
    let third = Defaults.observe(.volume, .title, options: [.initial]) {}
    let fourth = Defaults.observe(.volume, on: .queue(.global())) { change in
        if !change.isInitial, change.cause == .thisProcess { print(change.newValue) }
    }
    [first, second, third, fourth].forEach { $0.removeLifetimeTie() }
    first.invalidate()
    for await volume in Defaults.updates(.volume, initial: false) { print(volume) }
    for await change in Defaults.changes(.title) { print(change.newValue ?? "none") }
    await Defaults.withoutPropagation { await Task.yield() }
}
