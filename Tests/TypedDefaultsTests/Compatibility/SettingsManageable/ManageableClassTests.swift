import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

private final class GameSettings: SettingsManageable {
    var level = 1
    var name: String?

    static var suite: DefaultsSuite { Here.suite }

    func assign(from other: GameSettings) { (level, name) = (other.level, other.name) }
}

/// Whole settings of a class.
@Suite(.ownThread) struct ManageableClassTests {
    @Test func `a new instance has what is stored`() throws {
        try inSuite(.memory) { suite in
            let settings = try GameSettings.loaded()
            #expect(settings.level == 1)
            settings.level = 2
            try settings.update()
            #expect(try suite.storedValues() == ["level": 2])
            #expect(try GameSettings.loaded().level == 2)
        }
    }

    @Test func `a constant is loaded and reset in place`() throws {
        try inSuite(.memory) { suite in
            let shared = GameSettings()
            try shared.load()
            try suite.set(9, forKey: "level")
            try suite.set("Ann", forKey: "name")
            try shared.load()
            #expect((shared.level, shared.name) == (9, "Ann"))
            try shared.reset()
            #expect((shared.level, shared.name) == (1, nil))
            #expect(try suite.storedValues() == ["level": 1])
        }
    }
}
