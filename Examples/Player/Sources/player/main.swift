import DefaultsTerminal
import TypedDefaults

declareSettings()

switch CommandLine.arguments.dropFirst().first {
case nil:
    for await volume in Defaults.updates(.volume) {
        print("playing at \(volume), repeat \(Defaults[.order].rawValue)")
    }
case "settings":
    try await DefaultsTerminal.run(.standard, keys: .all)
case "louder":
    Defaults[.volume] = min(1, Defaults[.volume] + 0.1)
default:
    print("usage: player [settings | louder]")
}
