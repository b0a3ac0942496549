/// A program with a settings screen, which the tests start in a pseudo-terminal.
///
///     screen-tool settings FILE [read-only | managed FILE | count N | keys | blocking
///                               | cancel | stay]
///     screen-tool write FILE            writes all the time, until it is killed
@_spi(TypedDefaults) import DefaultsTerminal
import Dispatch
import Foundation
import TypedDefaults

let words = CommandLine.arguments
guard words.count > 2 else { exit(64) }
let suite = try DefaultsSuite(file: words[2], readOnly: words.dropFirst(3).first == "read-only")

enum Theme: String, Codable, CaseIterable, Sendable { case light, dark, auto }

let volume = Defaults.Key<Double>(
    "volume", default: 0.5, suite: suite, validation: .range(0...1), description: "How loud it plays.")
let theme = Defaults.Key<Theme>("theme", default: .light, suite: suite, description: "How the window looks.")
let verbose = Defaults.Key<Bool>(
    "verbose", default: false, suite: suite, description: "Whether it says more.")
let title = Defaults.Key<String>("window.title", default: "Player", suite: suite, description: "Its title.")
let width = Defaults.Key<Int>(
    "window.width", default: 800, suite: suite, validation: .range(100...4_000),
    description: "Its columns of dots.")
let height = Defaults.Key<Int>("window.height", default: 600, suite: suite, description: "Its rows of dots.")
let token = Defaults.OptionalKey<String>(
    "token", suite: suite, secret: true, description: "The account's token.")
let folders = Defaults.Key<[String]>("folders", default: [], suite: suite, description: "Where the music is.")
let crash = Defaults.Key<Bool>("crash", default: false, suite: suite)
let leave = Defaults.Key<Bool>("leave", default: false, suite: suite)

if words[1] == "write" {
    for round in 0... { try suite.set(volume, to: Double(round % 100) / 100) }
}
switch words.dropFirst(3).first {
case "managed": try suite.setManagedFile(words[4])
case "count":
    for number in 0..<(Int(words[4]) ?? 0) {
        _ = Defaults.Key<Int>(
            "key\(number).of-many", default: number, suite: suite,
            description: "One of many settings, number \(number).")
    }
default: break
}

// What the program does elsewhere while the screen is shown.
let observations = [
    suite.observe(crash, options: []) { if $0.newValue { preconditionFailure("as it was told") } },
    suite.observe(leave, options: []) { if $0.newValue { exit(3) } },
]

/// Says what has become of the screen, and ends.
func end(_ result: Result<Void, any Error>) -> Never {
    withExtendedLifetime(observations) {}
    if case .failure(let error) = result {
        print("failed: \(error)")
        exit(1)
    }
    print("left")
    exit(0)
}

switch words.dropFirst(3).first {
case "blocking": end(Result { try DefaultsTerminal.runBlocking(suite) })
case let word:
    let keys: DefaultsTerminal.Keys = word == "keys" ? [width, volume] : .all
    // A program that goes on after a signal which ends others.
    if word == "stay" { signal(SIGTERM) { _ in } }
    let shown = Task {
        do {
            try await DefaultsTerminal.run(suite, keys: keys)
            end(.success(()))
        } catch {
            end(.failure(error))
        }
    }
    let cancelling = suite.observe(volume, options: []) { _ in if word == "cancel" { shown.cancel() } }
    withExtendedLifetime(cancelling) { dispatchMain() }
}
