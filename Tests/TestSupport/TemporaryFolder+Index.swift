import Foundation

extension TemporaryFolder {
    /// Waits until the large settings file of a suite has its index, as files have that nobody changes while processes
    /// open them.
    ///
    /// - Parameter key: one that the file has.
    /// - Returns: whether it came to have one.
    package func awaitIndex(reading key: String, of name: String = "settings") throws -> Bool {
        let lock = "\(path)/\(name)/.settings.json.lock"
        var file = stat()
        guard stat(settingsPath(of: name), &file) == 0 else { return false }
        // No earlier is any made, and to start processes until then would only keep the machine busy.
        let rested = Date(timeIntervalSince1970: Double(file.st_ctim.tv_sec) + 4)
        return try eventually {
            guard Date.now > rested else { return false }
            _ = try Peer.opening(name, in: self).ask("get \(key)")
            return stat(lock, &file) == 0 && file.st_size > 4_096
        }
    }
}
