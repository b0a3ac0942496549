/// A process beside the tests': it writes a setting, says what a reader's watch gives until its input ends, or does
/// nothing until then.
import Configuration
import Foundation
import TypedDefaults
import TypedDefaultsConfiguration

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

let words = Array(CommandLine.arguments.dropFirst())

/// Waits for the end of the input, on a thread of its own: a task would be looked after now and then.
func waitForEnd() async {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            while readLine() != nil {}
            continuation.resume()
        }
    }
}

switch words[0] {
case "set":
    try DefaultsSuite(file: words[1]).set(try DefaultsValue(json: words[3]), forKey: words[2])
case "watch":
    let reader = ConfigReader(provider: DefaultsConfigProvider(try DefaultsSuite(file: words[1])))
    let watching = Task {
        try await reader.watchString(forKey: ConfigKey(words[2])) { values in
            for await value in values { say(value ?? "(none)") }
        }
    }
    await waitForEnd()
    watching.cancel()
case "rest":
    await Task { say("resting") }.value
    await waitForEnd()
default:
    exit(2)
}
