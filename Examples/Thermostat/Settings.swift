import Foundation
import TypedDefaults

/// What the daemon and those who control it tell each other by.
extension Defaults.Keys {
    /// The temperature that is wanted, and the number of the order that said so: written by `thermostat set`.
    static let target = Key<Double>("target", default: 18, validation: .range(5...30))
    static let order = Key<Int>("order", default: 0)
    /// Whether the heating is on, and the last order that was carried out: written by the daemon.
    static let heating = Key<Bool>("heating", default: false)
    static let carriedOut = Key<Int>("carriedOut", default: 0)
    /// The process that is the daemon.
    static let daemon = OptionalKey<Int32>("daemon")
}

/// Why a command did not do what it was asked to.
struct Refusal: Error, CustomStringConvertible {
    let description: String
}

/// Whether there is a process of this id; what a file says may be none, and 0 and below stand for groups of processes.
func isRunning(_ process: Int32) -> Bool { process > 0 && (kill(process, 0) == 0 || errno == EPERM) }

/// Prints a line at once, since several processes print in turn.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
