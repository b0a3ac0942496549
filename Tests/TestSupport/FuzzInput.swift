import Foundation

/// One input of `.ci/fuzz`: a seed, or what was once found wrong.
package struct FuzzInput: Sendable, CustomStringConvertible {
    /// The file's path below `Tests/Fuzz`.
    package let path: String
    /// What the file holds.
    package let bytes: [UInt8]

    package var description: String { path }

    /// A target without a seed: its folder has been moved, and a test of nothing would pass.
    package struct NoSeed: Error {
        let target: String
    }

    /// Every input of a target, by name.
    ///
    /// - Throws: ``NoSeed``; what was once found wrong, a target need not have.
    package static func all(of target: String) throws -> [FuzzInput] {
        let fuzz = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fuzz")
        let inputs: [FuzzInput] = try ["seeds/\(target)", "corpus/\(target)"]
            .filter { FileManager.default.fileExists(atPath: fuzz.appending(path: $0).path) }
            .flatMap { folder in
                try FileManager.default.contentsOfDirectory(atPath: fuzz.appending(path: folder).path)
                    .sorted().map { "\(folder)/\($0)" }
            }
            .map { FuzzInput(path: $0, bytes: Array(try Data(contentsOf: fuzz.appending(path: $0)))) }
        guard inputs.contains(where: { $0.path.hasPrefix("seeds/") }) else { throw NoSeed(target: target) }
        return inputs
    }
}
