// A command-line tool with layered settings. What applies, lowest first: the defaults in its code, a file of factory
// defaults (greeter.json beside the program, or --config FILE), what the user has stored, GREETER_... variables, and the
// command line.
//
//     swift run greeter
//     swift run greeter set whom Ada          kept in ~/.config/greeter/settings.json
//     swift run greeter --config Examples/Greeter/greeter.json --shout
//     GREETER_TIMES=3 swift run greeter --whom=everybody
//     GREETER_TIMES=3 swift run greeter --explain times
import Foundation

do {
    try await Greeter(Array(CommandLine.arguments.dropFirst())).run()
} catch let misuse as Misuse {
    complain(misuse.description)
    exit(EX_USAGE)
} catch {
    complain("\(error)")
    exit(EXIT_FAILURE)
}
