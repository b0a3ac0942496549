// Opens an LMDB environment, reads one value, and reports how long that took.
//
// Usage: open-lmdb FOLDER [fill COUNT]
import LMDB
import Measuring

let words = CommandLine.arguments
let folder = words[1]

if words.count > 3, let count = Int(words[3]) {
    try Environment(folder, size: 64 << 20).fill(Sized.entries(count))
} else {
    print(try Report { try Environment(folder, isReadOnly: true).double(forKey: Sized.wanted) }.line)
}
