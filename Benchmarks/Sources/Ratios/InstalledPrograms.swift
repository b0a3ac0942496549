import Foundation

/// The programs that are measured, copied to a place of their own as an installation does.
///
/// What a linker has just written stands in the kernel's cache in small pieces, and a process that is started from there pays for
/// more of them: a quarter of what opening a suite takes. Users start programs that were installed, as the libraries are that
/// the peers load.
struct InstalledPrograms: Sendable {
    private static let names = [
        "hello", "load-store", "load-typed", "start-store", "start-typed", "open-bare", "open-store",
        "open-typed", "open-userdefaults", "open-lmdb", "peer-ours", "peer-userdefaults",
    ]

    private let folder: String

    /// Copies what stands beside this program.
    init(in folder: String) throws {
        self.folder = folder
        let built = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in InstalledPrograms.names {
            let copy = path(name)
            try Data(contentsOf: built.appending(path: name)).write(to: URL(filePath: copy))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: copy)
        }
    }

    /// The path of a program.
    func path(_ name: String) -> String { folder + "/" + name }
}
