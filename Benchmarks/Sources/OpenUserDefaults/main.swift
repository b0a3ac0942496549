// Opens Foundation's `UserDefaults`, reads one value and ends. Its file is below the home folder of the environment.
//
// Usage: open-userdefaults [report | fill COUNT]
import Foundation
import Measuring

let words = CommandLine.arguments

if words.count > 2, let count = Int(words[2]) {
    for (key, value) in Sized.entries(count) { UserDefaults.standard.set(value, forKey: key) }
    guard UserDefaults.standard.synchronize() else { exit(1) }
} else if words.count > 1 {
    print(Report { UserDefaults.standard.double(forKey: Sized.wanted) }.line)
} else {
    print(UserDefaults.standard.double(forKey: Sized.wanted))
}
