import Foundation
import TypedDefaults
import TypedDefaultsFoundation

struct Window: Codable, Sendable { var width = 800, height = 600 }
enum Theme: String, Codable, Sendable { case light, dark }

extension Defaults.Keys {
    static let volume = Key<Double>("volume", default: 0.5)
    static let recent = Key<[String]>("recent", default: [])
    static let lastOpened = OptionalKey<Date>("lastOpened")
    static let window = Key<Window>("window", default: Window())
    static let theme = Key<Theme>("theme", default: .light)
}

/// The program as it is now.
enum NewProgram {
    static func run() throws {
        // Declared before the move, which then knows what each value has to be.
        Defaults.declare(.volume, .recent, .lastOpened, .theme)
        // Nothing is deleted from UserDefaults: the old program still starts. It is made once for all processes and
        // starts: what the user resets later stays reset.
        let result = try DefaultsSuite.standard.importValues(
            from: .standard, keys: ["volume", "recent", "lastOpened", "theme"],
            renaming: ["WindowSize": .window], once: "from UserDefaults")
        if !result.wasAlreadyImported { print("taken over: \(result.imported.joined(separator: ", "))") }
        for (key, reason) in result.refused { print("left behind: \(key), \(reason)") }
        print(result.wasAlreadyImported ? "nothing to move" : "moved")
        print("volume \(Defaults[.volume]), recent \(Defaults[.recent]), theme \(Defaults[.theme])")
        print("window \(Defaults[.window].width) x \(Defaults[.window].height)")
        // The user likes the default better.
        Defaults.reset(.volume)
        try DefaultsSuite.standard.checkpoint()
    }
}
