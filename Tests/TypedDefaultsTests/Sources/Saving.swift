import Foundation
import Glibc
import TestSupport

extension TemporaryFolder {
    /// Saves a file as careful editors do: another one beside it, then a new name for that.
    func saveByRename(_ text: String, to name: String) throws {
        try write(text, to: name + ".new")
        guard rename("\(path)/\(name).new", "\(path)/\(name)") == 0 else {
            throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
        }
    }

    /// Takes a file away.
    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }
}
