// Moving from UserDefaults. The old program has left its settings there; the new one takes them over at its first start,
// says what it could not use, and at the second start has nothing left to do.
//
//     swift run mover
//
// Each program is a process of its own whose home is a temporary folder, so nobody's real UserDefaults are touched.
import Foundation

do {
    switch CommandLine.arguments.dropFirst().first {
    case "old": try OldProgram.run()
    case "new": try NewProgram.run()
    default: try Home().move()
    }
} catch {
    FileHandle.standardError.write(Data("mover: \(error)\n".utf8))
    exit(EXIT_FAILURE)
}
