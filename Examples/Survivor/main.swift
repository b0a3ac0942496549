// A daemon that a bad setting makes crash, and that its supervisor starts again and again: at the fourth start it comes up
// with the settings that worked last, and says what it holds back.
//
//     swift run survivor                      the demo: daemon and supervisor, in a folder of its own
import Foundation
import TypedDefaults

extension Defaults.Keys {
    // Without a validation, which would refuse 0: this is about the mistakes that nobody has foreseen.
    static let workers = Key<Int>("workers", default: 4)
}

do {
    if CommandLine.arguments.last == "daemon" { try daemon() } else { try Demo().run() }
} catch {
    FileHandle.standardError.write(Data("survivor: \(error)\n".utf8))
    exit(EXIT_FAILURE)
}

/// Begins to work, and would go on with it.
func daemon() throws {
    let suite = try DefaultsSuite("survivor")
    // The example prints what is withheld, which is reported, too.
    suite.onFailure = { say("daemon: \($0)") }
    let start = try suite.beginStart(safeAfter: 3)
    for change in start.withheld { say("daemon: withheld \(change)") }
    let workers = suite[.workers]
    let share = 1_000 / workers
    try start.markHealthy()
    say("daemon: \(workers) workers, \(share) jobs each")
}
