import Testing
import TypedDefaults
import TypedDefaultsCompatibility

/// Where the settings of a test's types are.
enum Here {
    @TaskLocal static var suite = DefaultsSuite.inMemory()
}

struct PlayerSettings: SettingsManageable, Equatable {
    var volume = 0.8
    var lives = 3
    var nickname: String?
    var motto: String? = "play"

    static var suite: DefaultsSuite { Here.suite }
}

/// The same settings in a later version of the program.
struct LaterSettings: SettingsManageable, Equatable {
    var volume = 0.8
    var level = 7
    var badge: String? = "star"

    static var suite: DefaultsSuite { Here.suite }
}

/// Runs a test over a suite of its own, in memory or in a file.
func inSuite(_ place: Place, _ body: (DefaultsSuite) throws -> Void) throws {
    try place.withSuite { (suite: DefaultsSuite) throws in
        try Here.$suite.withValue(suite) { try body(suite) }
    }
}

/// Loads settings where none are stored, and makes sure that a reset returns to what they were then.
func firstLoadKeepingInitialValues() throws -> PlayerSettings {
    var settings = PlayerSettings(lives: 9)
    try settings.load()
    #expect(try settings.toDictionary() == ["volume": 0.8, "lives": 9, "motto": "play"])
    settings.lives = 1
    try settings.update()
    try settings.reset()
    #expect(settings == PlayerSettings(lives: 9))
    return settings
}
