// The shapes of property defaults, watching and whole settings.
import TypedDefaults
import TypedDefaultsCompatibility

nonisolated extension Defaults: PropertyDefaults {
    var theme: String? {
        get { get() }
        set { set(newValue) }
    }
    var size: Int {
        get { get(or: 12) }
        nonmutating set { set(newValue) }
    }
    var motto: String? {
        get { get() }
        nonmutating set { set(newValue, or: "none") }
    }
}

nonisolated fileprivate protocol OwnOfThisFile: PropertyDefaults { var own: Int? { get set } }
nonisolated extension Defaults: OwnOfThisFile {
    fileprivate var own: Int? {
        get { get() }
        nonmutating set { set(newValue) }
    }
}

nonisolated func useProperties() throws {
    Defaults.shared.theme = "dark"
    print(try Defaults(suiteName: "local").theme ?? "")
    Defaults.shared.size += 1
    Defaults.shared.own = 1
    var local = try Defaults(suiteName: "local")
    local.theme = nil
    Defaults.shared.watch(\.size) {}
    Defaults.shared.watch(\.size, id: "x", options: [.initial]) { target, change in
        print(target.size, change.newValue)
    }
    Defaults.shared.unwatch(\.size, forIds: ["x"])
    Defaults.shared.unwatch(\.size)
    Defaults.shared.unwatchAllFilePrivate()
    Defaults.shared.unwatchAll()
}

@MainActor final class Deck: PropertyWatchable {
    @Watched var title = "none"

    func follow() {
        watch(\.title, on: .mainActor) { print("another title") }
        watch(\.title, options: [.initial], on: .mainActor) { deck, change in
            print(deck.title, change.oldValue)
        }
    }
}

nonisolated struct PlayerSettings: SettingsManageable {
    var volume = 0.8
    var lives = 3
}

nonisolated final class GameSettings: SettingsManageable {
    var level = 1
    func assign(from other: GameSettings) { level = other.level }
}

nonisolated func useWhole(path: String) throws {
    var settings = PlayerSettings()
    try settings.load()
    settings.lives = 5
    try settings.update()
    try settings.loadUsingSettingsFile(path)
    try settings.reset()
    try settings.delete()
    print(try settings.toDictionary(), settings.settingsURL() ?? "in memory")
    let shared = try GameSettings.loaded()
    try shared.load()
    try shared.reset()
}
