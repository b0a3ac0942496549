package import Foundation

/// What a person or another program does to the files of a test's folder.
extension TemporaryFolder {
    /// Saves a text as most editors do: a new file beside the old one, renamed over it.
    ///
    /// Of a settings file a person does so when it has followed the last write.
    package func saveByRename(_ text: String, to name: String = "settings/settings.json") throws {
        try awaitCheckpoint(of: name)
        try write(text, to: "\(name).edited")
        guard rename("\(path)/\(name).edited", "\(path)/\(name)") == 0 else { throw POSIXError.current }
    }

    /// Removes a file, or a folder with all that is in it.
    package func remove(_ name: String = "settings/settings.json") throws {
        try awaitCheckpoint(of: name)
        try awaitCheckpoint(of: name + "/settings.json")
        try FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }
}

extension POSIXError {
    /// What the last refused call left in `errno`.
    package static var current: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
