package import Foundation
import Synchronization

/// Starts programs one after the other, their pipes included.
///
/// Foundation's pipes are left open in every program that is started, except in those whose start looks which files are
/// open when they are there already. One that another thread made between the look and the start would be held by a
/// program that knows nothing of it, and who reads from that pipe would wait for that program's end too.
package enum Children {
    private static let turn = Mutex(())

    /// Makes pipes and starts one program with them.
    package static func start<Pipes>(_ process: Process, with pipes: () -> Pipes) throws -> Pipes {
        try turn.withLock { _ in
            let pipes = pipes()
            try process.run()
            return pipes
        }
    }
}
