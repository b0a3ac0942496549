// Opens a suite through the engine, reads one value, and reports how long that took.
//
// Usage: open-store FOLDER SUITE
import DefaultsStore
import Measuring

let words = CommandLine.arguments

// Open until the program ends, as what the peers open is.
var opened: DefaultsSuite?

let read = { () throws -> Double in
    let suite = try DefaultsSuite(words[2], in: words[1])
    opened = suite
    return suite.double(forKey: Sized.wanted)
}

print(try Report(measuring: read).line)
