import Foundation
import TypedDefaults

/// A folder of one test's own that goes with the last reference to it.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/typed-defaults-configuration-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: path) } catch {
            FileHandle.standardError.write(Data("a test's folder stays behind: \(path): \(error)\n".utf8))
        }
    }

    /// The path of the settings file in it.
    var file: String { path + "/settings.json" }

    func suite() throws -> DefaultsSuite { try DefaultsSuite(file: file) }

    /// Writes the settings file as a person with an editor does.
    func save(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: file), options: .atomic) }
}
