// Runs one hot path so many times, for `callgrind` to count. Without arguments it lists the paths.
//
// Usage: counted [PATH COUNT]
// As the other process of a path it is started by itself: counted set-when-told PAGE OTHERS
import HotPaths

let words = CommandLine.arguments

if words.count == 4, words[1] == OtherProcess.role, let others = Int(words[3]) {
    try OtherProcess.setWhenTold(page: words[2], others: others)
} else if words.count == 3, let path = HotPath(rawValue: words[1]), let count = Int(words[2]) {
    path.run(count, in: countedSection)
} else {
    for path in HotPath.allCases { print(path.rawValue) }
}
