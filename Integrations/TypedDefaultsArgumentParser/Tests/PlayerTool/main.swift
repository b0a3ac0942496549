/// A tool with eleven options; it says what counts, and for which domain's sake.
import ArgumentParser
import Foundation
import TypedDefaults
import TypedDefaultsArgumentParser

enum Theme: String, Codable, CaseIterable { case light, dark, system }

extension Defaults.Keys {
    static let volume = Key<Double>(
        "volume", default: 0.5, validation: .range(0...1), description: "How loud it plays.")
    static let theme = Key<Theme>("theme", default: .system, description: "The colours.")
    static let folders = Key<[String]>("folders", default: [], description: "Where the music is.")
    static let ratings = Key<[Int]>(
        "ratings", default: [4, 5], validation: .where { $0.count >= 2 }, description: "What is played.")
    static let title = OptionalKey<String>("title", description: "The window's title.")
    static let port = Key<Int>(
        "server.port", default: 8080, validation: .oneOf(80, 8080), description: "Where it listens.")
    static let verbose = Key<Bool>("verbose", default: false, description: "Whether it says more.")
    static let shuffle = Key<Bool>("shuffle", default: true, description: "Whether the order is another one.")
    static let fadeTime = Key<Duration>(
        "fadeTime", default: .seconds(2), description: "How long a title fades.")
    static let token = OptionalKey<String>("token", secret: true, description: "The account's token.")
    static let pin = Key<Int>(
        "pin", default: 0, validation: .range(1000...9999), secret: true, description: "The parents' number.")
}

enum PlayerSettings: DefaultsOptionKeys {
    static let keys = DefaultsOptionList(
        .ratings, .port, .fadeTime, .verbose, .shuffle, .token, .pin)
}

struct Play: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "play", abstract: "Plays music.")

    @Option(.volume, name: .shortAndLong) var volume
    @Option(.theme) var theme
    @Option(.folders) var folders
    @Option(.title) var title
    @OptionGroup var settings: DefaultsOptions<PlayerSettings>

    func run() {
        print("properties: \(volume) \(theme) \(folders) \(title ?? "nil")")
        print(
            "defaults: \(Defaults[.volume]) \(Defaults[.theme]) \(Defaults[.folders]) \(Defaults[.title] ?? "nil")"
        )
        print("flags: \(Defaults[.verbose]) \(Defaults[.shuffle])")
        print("lists: \(Defaults[.ratings]) port: \(Defaults[.port])")
        print("fade: \(Defaults[.fadeTime])")
        print("secrets fit: \(Defaults[.token] == "hunter2-token") \(Defaults[.pin] == 4711)")
        for name in ["volume", "theme", "folders", "verbose", "token", "server.port"] {
            if let first = DefaultsSuite.standard.explain(forKey: name).first { print("\(name): \(first)") }
        }
    }
}

/// Corrects a value that it is not asked for first, or goes on until it has been reported.
struct Correct: ParsableCommand {
    @Option(.volume) var volume
    @Flag var keeps = false
    @Flag var waits = false

    func run() throws {
        if keeps { return }
        guard waits else { return try DefaultsSuite.standard.set(.volume, to: 0.5) }
        let isReported = DispatchSemaphore(value: 0)
        DefaultsSuite.standard.onFailure = { failure in
            print("heard: \(failure.code) of \(failure.key ?? "")")
            isReported.signal()
        }
        isReported.wait()
    }
}

/// What no program should have.
struct Mistaken: ParsableCommand {
    @Option(.token) var token
}

let environment = ProcessInfo.processInfo.environment
if let managed = environment["MANAGED"] { try DefaultsSuite.standard.setManagedFile(managed) }
DefaultsSuite.standard.addEnvironment(prefix: "PLAYER_")
// Except where it would read the value that is corrected.
let observation =
    environment["CORRECTING"] != nil
    ? nil : Defaults.observe(.volume, options: []) { print("heard: \($0.oldValue) -> \($0.newValue)") }
if environment["CORRECTING"] != nil {
    Correct.main()
} else if environment["SECRET_AS_OPTION"] != nil {
    Mistaken.main()
} else {
    Play.main()
}
