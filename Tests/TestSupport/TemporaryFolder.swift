package import DefaultsStore
import Foundation

/// A folder of one test's own, open to its user alone, that goes with the last reference to it.
///
/// Keep it in a variable of the test or a property of the suite for as long as its files are used.
package final class TemporaryFolder: Sendable {
    /// The folder's path.
    package let path: String

    /// Makes the folder.
    package init() throws {
        path =
            FileManager.default.temporaryDirectory.appending(path: "typed-defaults-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: path) } catch {
            FileHandle.standardError.write(Data("a test's folder stays behind: \(path): \(error)\n".utf8))
        }
    }

    /// A suite whose folder is in this one.
    package func suite(_ name: String = "settings") throws -> DefaultsSuite {
        try DefaultsSuite(name, in: path)
    }

    /// The path of the settings file of a suite made by `suite(_:)`.
    package func settingsPath(of name: String = "settings") -> String { "\(path)/\(name)/settings.json" }

    /// Writes a text into a file of this folder, in place, and makes the folders above it.
    ///
    /// A person does so when the settings file has followed the last write.
    package func write(_ text: String, to name: String) throws {
        try awaitCheckpoint(of: name)
        let file = URL(filePath: path).appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try Data(text.utf8).write(to: file)
    }

    /// The text of a file of this folder, when it has followed the last write.
    package func read(_ name: String) throws -> String {
        try awaitCheckpoint(of: name)
        return try String(contentsOf: URL(filePath: path).appending(path: name), encoding: .utf8)
    }

    /// The names of the copies that were made in a suite's folder of bytes that could not be used, when the settings file has
    /// followed the last write.
    package func damagedCopies(of name: String = "settings") throws -> [String] {
        try awaitCheckpoint(of: name + "/settings.json")
        return try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(name)")
            .filter { $0.hasPrefix("settings.json.damaged") }.sorted()
    }

    /// Waits until the journal of a settings file has no records: the file holds all that was written.
    ///
    /// Any other file's wait is over at once, and that of a settings file that cannot be read: it is left to a person.
    package func awaitCheckpoint(of name: String = "settings/settings.json") throws {
        let file = URL(filePath: path).appending(path: name)
        let journal = file.deletingLastPathComponent()
            .appending(path: ".\(file.lastPathComponent).journal").path
        let deadline = ContinuousClock.now + .seconds(120)
        while let size = try size(of: journal), size > TemporaryFolder.lengthOfHeader,
            try !isDamaged(file)
        {
            guard ContinuousClock.now < deadline else { throw StillBehind(path: file.path) }
            poll(nil, 0, 2)
        }
    }

    /// A settings file has not followed the writes for a long time.
    package struct StillBehind: Error {
        let path: String
    }

    /// The first line of a journal, as FileFormat.md has it.
    private static let lengthOfHeader = 48

    private func isDamaged(_ file: URL) throws -> Bool {
        guard try size(of: file.path) != nil else { return false }
        return SettingsDocument.read(file: Array(try Data(contentsOf: file))).fault != nil
    }

    private func size(of path: String) throws -> Int? {
        // A pipe or folder in the journal's place has no records.
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        guard attributes[.type] as? FileAttributeType == .typeRegular else { return nil }
        return (attributes[.size] as? NSNumber)?.intValue
    }

    /// Lets everybody write in a folder of this one, as no suite's folder may be.
    package func allowEverybody(in name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: "\(path)/\(name)")
    }
}
