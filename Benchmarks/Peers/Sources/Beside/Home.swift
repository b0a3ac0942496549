import Foundation

/// A home folder of this process's own, so that nobody's settings are touched.
public enum Home {
    /// The folder; it is on the disk of the working folder, and stays until the next `swift package clean`.
    public static let path: String = {
        let path = FileManager.default.currentDirectoryPath + "/.build/home-\(getpid())"
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            preconditionFailure("no folder can be made: \(error)")
        }
        for name in ["HOME", "CFFIXED_USER_HOME"] { setenv(name, path, 1) }
        setenv("XDG_CONFIG_HOME", path + "/.config", 1)
        return path
    }()

    /// A new folder in it.
    public static func folder(_ name: String) throws -> String {
        let folder = path + "/" + name
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return folder
    }
}
