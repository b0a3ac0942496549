import Foundation

/// The program as it was: a user's settings in `UserDefaults`.
enum OldProgram {
    static func run() throws {
        let defaults = UserDefaults.standard
        defaults.set(0.7, forKey: "volume")
        defaults.set(["readme.md", "notes.txt"], forKey: "recent")
        defaults.set(Date(timeIntervalSince1970: 1_700_000_000), forKey: "lastOpened")
        // As much code by hand keeps a Codable value: JSON in data.
        defaults.set(try JSONEncoder().encode(Window(width: 1280, height: 800)), forKey: "WindowSize")
        defaults.set("loud", forKey: "theme")
        guard defaults.synchronize() else { throw Failure(what: "UserDefaults cannot be saved") }
        print("the old program has saved its settings in UserDefaults")
    }
}

/// Why the move ends early.
struct Failure: Error {
    let what: String
}
