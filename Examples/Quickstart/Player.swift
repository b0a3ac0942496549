import TypedDefaults

/// Something that follows a setting while it lives.
final class Player {
    init() {
        Defaults.observe(.quality, options: []) { change in
            print("   the player hears: quality \(change.oldValue) -> \(change.newValue)")
        }.tieToLifetime(of: self)
    }
}
