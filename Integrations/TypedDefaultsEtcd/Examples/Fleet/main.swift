// Two machines, each a process with a settings folder of its own, follow the settings of a fleet in one etcd. A value put
// there applies on both within milliseconds; what a person has stored takes precedence; without etcd both go on.
//
//     Examples/run                            from anywhere; installs etcd-server where it is missing
//     swift run fleet FOLDER                  with etcd there; all files are below the folder
import Dispatch
import LocalEtcd

do {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.count) {
    case ("machine", 3): try Machine(endpoint: arguments[1], takesLocked: arguments[2] == "locked").run()
    case (let folder?, 1):
        // It takes seconds; whatever waits longer waits in vain, and ends with this process.
        DispatchQueue.global().asyncAfter(deadline: .now() + 120) { end("fleet: it takes too long") }
        try Story(folder: folder).run()
    default: throw Refusal("usage: fleet FOLDER")
    }
} catch {
    end("fleet: \(error)")
}
