// Opens a suite through a typed key, reads its value and ends.
//
// Usage: open-typed FOLDER SUITE [report]
import Measuring
import TypedDefaults

let words = CommandLine.arguments

// Open until the program ends, as what the peers open is.
var opened: DefaultsSuite?

let read = { () throws -> Double in
    let suite = try DefaultsSuite(words[2], in: words[1])
    opened = suite
    return Defaults[Defaults.Key<Double>(Sized.wanted, default: 0, suite: suite)]
}

if words.count > 3 {
    print(try Report(measuring: read).line)
} else {
    print(try read())
}
