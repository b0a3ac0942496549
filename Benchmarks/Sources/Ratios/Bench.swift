import Foundation
import Measuring

/// What the measurements share: where they work, how often, and how the other programs are started.
struct Bench: Sendable {
    /// The folder for everything that is written.
    let folder: String
    /// How often what takes moments is measured; what takes longer is measured less often.
    let rounds: Int
    private let programs: InstalledPrograms

    init(folder: String, rounds: Int) throws {
        (self.folder, self.rounds) = (folder, rounds)
        programs = try InstalledPrograms(in: folder + "/programs")
    }

    /// The path of one of the programs of this package.
    func path(_ program: String) -> String { programs.path(program) }

    /// A new, empty folder.
    func makeFolder(_ name: String) throws -> String {
        let path = folder + "/" + name
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return path
    }

    /// The environment of a process whose home is a folder.
    func environment(home: String) -> [String: String] {
        [
            "HOME": home, "CFFIXED_USER_HOME": home, "XDG_CONFIG_HOME": home + "/.config",
            "PATH": "/usr/bin:/bin",
        ]
    }

    /// Starts a program of this package.
    func start(
        _ program: String, _ arguments: [String] = [], home: String, keepsOutput: Bool = false
    ) throws -> Child {
        try Child(
            path(program), arguments, environment: environment(home: home), keepsOutput: keepsOutput)
    }

    /// Writes the file of a suite with so many keys; gives the folder that the suite's folder is in.
    func makeSuite(_ suite: String, keys: Int, in name: String) throws -> String {
        let parent = try makeFolder(name)
        let folder = try makeFolder(name + "/" + suite)
        let path = folder + "/settings.json"
        try Data(Sized.json(keys).utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return parent
    }
}
