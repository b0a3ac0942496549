import Foundation
import Synchronization

/// A folder of links behind one link, as a ConfigMap is mounted, which a thread turns to and fro as fast as it can until this
/// is told to stop.
package final class TurningFolder: Sendable {
    private let isTurning = Atomic<Bool>(true)
    private let hasStopped = DispatchSemaphore(value: 0)
    private let path: String

    /// Makes the folder, with two versions of each file.
    ///
    /// - Parameter text: what a file has in each version.
    package init(_ folder: TemporaryFolder, _ name: String, files: [String], text: (Int) -> String) throws {
        path = folder.path + "/" + name
        for version in 0...1 {
            for file in files { try folder.write(text(version), to: "\(name)/..\(version)/\(file)") }
        }
        try turn(0)
        for file in files { try check(symlink("..data/\(file)", "\(path)/\(file)")) }
        Thread.detachNewThread { [self] in
            var version = 1
            while isTurning.load(ordering: .relaxed) {
                do { try turn(version) } catch { preconditionFailure("\(error)") }
                version = 1 - version
            }
            hasStopped.signal()
        }
    }

    /// Stops the thread, and leaves the folder at a version.
    package func stop(at version: Int) throws {
        isTurning.store(false, ordering: .relaxed)
        hasStopped.wait()
        try turn(version)
    }

    private func turn(_ version: Int) throws {
        try check(symlink("..\(version)", path + "/..data_tmp"))
        try check(rename(path + "/..data_tmp", path + "/..data"))
    }

    private func check(_ result: Int32) throws {
        if result != 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
}
