import Foundation
import Measuring

/// What the rows share: where they work, how much, and how their processes are started.
struct Stage: Sendable {
    /// The folder for everything that is written.
    let folder: String
    let extent: Extent

    /// The first argument of a process that has a part in a row.
    static let wordOfPart = "as"
    /// The suite that the processes of a row share.
    static let suite = "scale"

    /// A new folder, for one figure.
    func makeFolder(_ name: String) throws -> String {
        let path = "\(folder)/\(name)"
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return path
    }

    /// A new folder with the suite's file, of so many keys; gives the folder's path and how long the file is.
    func makeSuite(_ name: String, keys: Int) throws -> (folder: String, bytes: Int) {
        let path = try makeFolder(name)
        let file = try makeFolder("\(name)/\(Stage.suite)") + "/settings.json"
        let text = Data(Sized.json(keys).utf8)
        try text.write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        return (path, text.count)
    }

    /// Starts a process that plays a part in a folder.
    func start(_ part: Part.Name, in folder: String, _ words: [String] = [], keepsOutput: Bool = false) throws
        -> Child
    {
        try Child(
            CommandLine.arguments[0], command(part, in: folder, words), environment: environment(folder),
            keepsOutput: keepsOutput)
    }

    /// Starts the same under strace, which writes the calls of some names into a file.
    func start(
        _ part: Part.Name, in folder: String, _ words: [String], tracing calls: String, to file: String
    ) throws -> Child {
        let tracing = [
            "-f", "-qq", "-e", "trace=\(calls)", "-e", "signal=none", "-o", file, CommandLine.arguments[0],
        ]
        return try Child(
            "/usr/bin/strace", tracing + command(part, in: folder, words), environment: environment(folder),
            keepsOutput: true)
    }

    /// Plays a part to its end, and gives the numbers that it has printed.
    func play(_ part: Part.Name, in folder: String, _ words: [String] = []) throws -> [Double] {
        try Stage.numbers(try start(part, in: folder, words, keepsOutput: true).finish())
    }

    /// The numbers that a process has printed.
    static func numbers(_ text: String) throws -> [Double] {
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard !numbers.isEmpty else { throw SystemFailure(waitingFor: "what a part has measured: \(text)") }
        return numbers
    }

    private func command(_ part: Part.Name, in folder: String, _ words: [String]) -> [String] {
        [Stage.wordOfPart, part.rawValue, folder] + words
    }

    private func environment(_ home: String) -> [String: String] {
        ["HOME": home, "XDG_CONFIG_HOME": home + "/.config", "PATH": "/usr/bin:/bin"]
    }
}
