// Opens a suite through a typed key, reads its value, and reports how long that took.
//
// Usage: open-typed FOLDER SUITE
import Measuring
import TypedDefaults

let words = CommandLine.arguments

// Open until the program ends, as what the peers open is, and declared until then, as keys are.
var opened: (suite: DefaultsSuite, key: Defaults.Key<Double>)?

let read = { () throws -> Double in
    let suite = try DefaultsSuite(words[2], in: words[1])
    let key = Defaults.Key<Double>(Sized.wanted, default: 0, suite: suite)
    opened = (suite, key)
    return Defaults[key]
}

print(try Report(measuring: read).line)
