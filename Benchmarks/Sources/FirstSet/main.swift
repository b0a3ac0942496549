// Opens a suite through the engine and reads one value, then reports how long the first set of the process takes.
//
// Usage: first-set FOLDER SUITE
import DefaultsStore
import Measuring

let words = CommandLine.arguments
let suite = try DefaultsSuite(words[2], in: words[1])
// Another value than the one before, which would not be written again.
let next = suite.double(forKey: Sized.wanted) + 1

let set = { () throws -> Double in
    try suite.set(DefaultsValue(floatLiteral: next), forKey: Sized.wanted)
    return next
}

print(try Report(measuring: set).line)
