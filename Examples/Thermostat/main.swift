// A daemon and the program that controls it share a suite, which is all there is between them: no socket, no protocol.
// The control program gives an order in a transaction, the daemon hears it, carries it out, and answers in the suite.
//
//     swift run thermostat                    the demo: both as real processes, in a folder of its own
//     swift run thermostat daemon             until ctrl-C or SIGTERM; its settings are in ~/.config/thermostat
//     swift run thermostat set 21             in another terminal
//     swift run thermostat status
import Foundation
import TypedDefaults

do {
    // Programs share a suite by its name, so it is said here and not left to the name of an executable.
    try DefaultsSuite.bootstrap(standard: DefaultsSuite("thermostat"))
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.dropFirst().first.flatMap(Double.init)) {
    case (nil, _), ("demo", _): try Demo().run()
    case ("daemon", _): try Daemon().run()
    case ("set", let target?): try Control().set(target)
    case ("status", _): Control().status()
    default: throw Refusal(description: "usage: thermostat [demo | daemon | set TARGET | status]")
    }
} catch {
    FileHandle.standardError.write(Data("thermostat: \(error)\n".utf8))
    exit(EXIT_FAILURE)
}
