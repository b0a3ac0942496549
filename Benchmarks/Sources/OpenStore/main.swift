// Opens a suite through the engine, reads one value and ends.
//
// Usage: open-store FOLDER SUITE [report]
import DefaultsStore
import Measuring

let words = CommandLine.arguments

let read = { () throws -> Double in
    try DefaultsSuite(words[2], in: words[1]).double(forKey: Sized.wanted)
}

if words.count > 3 {
    print(try Report(measuring: read).line)
} else {
    print(try read())
}
