/// What a folder holds: the folders in it, and its files with their contents.
import Foundation

struct FolderState: Hashable {
    let folders: Set<String>
    let files: [String: FileContent]

    /// Writes all of it into an empty folder.
    func write(to root: String) throws {
        for folder in folders.sorted() {
            try FileManager.default.createDirectory(
                atPath: root + "/" + folder, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        }
        for (path, content) in files {
            guard
                FileManager.default.createFile(
                    atPath: root + "/" + path, contents: Data(content.bytes),
                    attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
        }
    }

    /// Reads a folder.
    init(of root: String) throws {
        var (folders, files): (Set<String>, [String: FileContent]) = ([], [:])
        for path in try FileManager.default.subpathsOfDirectory(atPath: root) {
            let attributes = try FileManager.default.attributesOfItem(atPath: root + "/" + path)
            if attributes[.type] as? FileAttributeType == .typeDirectory {
                folders.insert(path)
            } else {
                files[path] = FileContent(Array(try Data(contentsOf: URL(filePath: root + "/" + path))))
            }
        }
        self.init(folders: folders, files: files)
    }

    init(folders: Set<String>, files: [String: FileContent]) {
        self.folders = folders
        self.files = files
    }
}

extension FolderState: CustomStringConvertible {
    /// One line for each file, long runs of one byte and long texts cut short.
    var description: String {
        let lines = files.sorted { $0.key < $1.key }.map { path, content in
            let shown = content.bytes.prefix(160).map { byte in
                (32..<127).contains(byte) ? String(UnicodeScalar(byte)) : byte == 0 ? "~" : "?"
            }
            return "    \(path), \(content.bytes.count) bytes: \(shown.joined())"
        }
        return (folders.sorted().map { "    \($0)/" } + lines).joined(separator: "\n")
    }
}
