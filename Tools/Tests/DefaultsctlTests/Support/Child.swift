import Foundation
import Glibc

/// A started program.
struct Child {
    let process: pid_t

    /// The system refused to start it.
    struct Refused: Error { let code: Int32 }

    /// Starts a program, whose standard files are these descriptors.
    init(_ path: String, _ arguments: [String], _ environment: [String: String], _ files: [Int32]) throws {
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var values = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer {
            (words + values).forEach { free($0) }
            posix_spawn_file_actions_destroy(&actions)
        }
        for (number, file) in files.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, file, Int32(number))
        }
        // The threads that tests run on block most signals, and a child would go on so.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var process = pid_t()
        let code = posix_spawn(&process, path, &actions, &attributes, &words, &values)
        guard code == 0 else { throw Refused(code: code) }
        self.process = process
    }

    /// Waits for its end: the exit status, or the negative number of the signal that ended it.
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }
}
