import TypedDefaults
import TypedDefaultsCompatibility

/// Whole settings in this process's suite.
extension Conversation {
    /// Settings of two properties, in whatever suite is open.
    struct PlayerSettings: SettingsManageable {
        var volume = 1
        var lives = 3

        @TaskLocal static var place = DefaultsSuite.inMemory()
        static var suite: DefaultsSuite { place }
    }

    /// Obeys `wholeload`, `wholevolume <n>` and `wholelives <n>`: load, change and update; nil for any other command.
    mutating func whole(_ command: Command) throws -> String? {
        try PlayerSettings.$place.withValue(suite) {
            switch command.verb {
            case "wholeload": try player.load()
            case "wholevolume": player.volume = try command.number(0)
            case "wholelives": player.lives = try command.number(0)
            case "wholeupdate": try player.update()
            default: return nil
            }
            return "\(player.volume) \(player.lives)"
        }
    }
}
