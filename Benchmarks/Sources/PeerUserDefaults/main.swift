// A process that writes Foundation's `UserDefaults`, which others write at the same time.
//
// Usage: peer-userdefaults set-many PAGE INDEX COUNT, or peer-userdefaults count
import Foundation
import Measuring

let words = CommandLine.arguments
let defaults = UserDefaults.standard

if words[1] == "count" {
    print(defaults.dictionaryRepresentation().keys.count { $0.hasPrefix("process") })
} else if let index = Int(words[3]), let count = Int(words[4]) {
    try Race(page: words[2]).run {
        for number in 0..<count {
            defaults.set(number, forKey: "process\(index)-\(number)")
            defaults.synchronize()
        }
    }
}
