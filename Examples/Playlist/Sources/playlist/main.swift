import Foundation
import Playlists
import TypedDefaults

if CommandLine.arguments.dropFirst().first == "louder" {
    louder()
} else {
    print("volume \(Defaults[.volume])")
    let observation = Defaults.observe(.volume) { change in
        if !change.isInitial { print("volume \(change.oldValue) -> \(change.newValue), \(change.cause)") }
        fflush(nil)
    }
    withExtendedLifetime(observation) { dispatchMain() }
}
