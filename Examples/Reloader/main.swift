// A service that reloads when its settings file is edited by hand. It takes all settings at once, checks them first, and
// keeps the last good ones when the file is broken, saying where.
//
//     swift run reloader                      the demo, which edits a file of its own
//     swift run reloader service.json         until ctrl-C; save that file with your editor
//     swift run reloader --write-schema service.json
//                                             then your editor knows what may be in that file, and checks it
// The file may be anywhere but in a folder that everybody can write, such as /tmp.
import Foundation
import TypedDefaults

do {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if let path = arguments.last { try DefaultsSuite.bootstrap(standard: DefaultsSuite(file: path)) }
    switch arguments.count {
    case 2 where arguments[0] == "--write-schema":
        print(try Configuration.writeSchema(for: .standard))
    case 1:
        for await event in try Configuration.events(of: .standard) {
            FileHandle.standardOutput.write(Data("\(event)\n".utf8))
        }
    case 0: try await Demo().run()
    default: throw Usage()
    }
} catch {
    FileHandle.standardError.write(Data("reloader: \(error)\n".utf8))
    exit(EXIT_FAILURE)
}

/// The command line is none of those above.
struct Usage: Error, CustomStringConvertible {
    let description = "usage: reloader [[--write-schema] FILE]"
}
