import Foundation
import LocalEtcd
import TypedDefaults
import TypedDefaultsEtcd

/// A program on one of the machines: it follows the fleet's settings, says what it hears, and does what a person there
/// wants.
struct Machine {
    let endpoint: String
    /// Whether it lets the fleet lock settings.
    let takesLocked: Bool

    func run() throws {
        try DefaultsSuite.bootstrap(standard: DefaultsSuite("player"))
        let suite = DefaultsSuite.standard
        suite.onFailure = { say("told \($0)") }
        let observation = Defaults.observe(.volume, .theme, .telemetry, options: []) {
            say("heard \(Moment.now.nanoseconds) \(state)")
        }
        let following = suite.follow(
            EtcdDefaultValueSource(endpoints: [endpoint], prefix: prefix, takesLocked: takesLocked))
        while let line = readLine() {
            for answer in answers(to: line) { say("answer \(answer)") }
            say("done")
        }
        following.invalidate()
        observation.invalidate()
    }

    private func answers(to line: String) -> [String] {
        let words = line.split(separator: " ").map(String.init)
        do {
            switch (words.first, words.dropFirst().first) {
            case ("explain", let name?):
                return DefaultsSuite.standard.explain(forKey: name).map(\.description)
            case ("volume", let text?):
                try DefaultsSuite.standard.set(.volume, to: Double(text) ?? 0)
            case ("telemetry", let text?):
                try DefaultsSuite.standard.set(.telemetry, to: text == "true")
            default: return ["what is \(line)?"]
            }
            return ["stored"]
        } catch {
            return ["\(error)"]
        }
    }
}

/// All settings as they count here and now.
private var state: String {
    let now = DefaultsSuite.standard.snapshot()
    return "volume \(now[.volume]), theme \(now[.theme]), telemetry \(now[.telemetry])"
}
