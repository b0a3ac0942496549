// A service that reloads when its settings file is edited by hand. It takes all settings at once, checks them first, and
// keeps the last good ones when the file is broken, saying where.
//
//     swift run reloader                      the demo, which edits a file of its own
//     swift run reloader /tmp/service.json    until ctrl-C; save that file with your editor
import Foundation
import TypedDefaults

do {
    if let path = CommandLine.arguments.dropFirst().first {
        try DefaultsSuite.bootstrap(standard: DefaultsSuite(file: path))
        for await event in try Configuration.events(of: .standard) {
            FileHandle.standardOutput.write(Data("\(event)\n".utf8))
        }
    } else {
        try await Demo().run()
    }
} catch {
    FileHandle.standardError.write(Data("reloader: \(error)\n".utf8))
    exit(EXIT_FAILURE)
}
