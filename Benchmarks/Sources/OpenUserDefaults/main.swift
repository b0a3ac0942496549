// Opens Foundation's `UserDefaults`, reads one value, and reports how long that took. Its file is below the home folder of the environment.
//
// Usage: open-userdefaults [fill COUNT]
import Foundation
import Measuring

let words = CommandLine.arguments

if words.count > 2, let count = Int(words[2]) {
    for (key, value) in Sized.entries(count) { UserDefaults.standard.set(value, forKey: key) }
    guard UserDefaults.standard.synchronize() else { exit(1) }
} else {
    print(Report { UserDefaults.standard.double(forKey: Sized.wanted) }.line)
}
