/// What a folder holds: the folders in it, and its files with their contents.
import Foundation

struct FolderState: Hashable {
    let folders: Set<String>
    let files: [String: FileContent]
    /// For each path whose file has an earlier one too, the first of them.
    let links: [String: String]

    /// A state of some files, each with a number that tells which paths are names of one file.
    init(folders: Set<String>, files: [String: (number: Int, content: FileContent)]) {
        var (first, links): ([Int: String], [String: String]) = ([:], [:])
        for (path, file) in files.sorted(by: { $0.key < $1.key }) {
            if let earlier = first[file.number] { links[path] = earlier } else { first[file.number] = path }
        }
        self.folders = folders
        self.files = files.mapValues(\.content)
        self.links = links
    }

    /// Reads a folder.
    init(of root: String) throws {
        var (folders, files): (Set<String>, [String: (Int, FileContent)]) = ([], [:])
        for path in try FileManager.default.subpathsOfDirectory(atPath: root) {
            let attributes = try FileManager.default.attributesOfItem(atPath: root + "/" + path)
            if attributes[.type] as? FileAttributeType == .typeDirectory {
                folders.insert(path)
            } else {
                let number = (attributes[.systemFileNumber] as? NSNumber)?.intValue ?? -files.count
                files[path] = (
                    number, FileContent(Array(try Data(contentsOf: URL(filePath: root + "/" + path))))
                )
            }
        }
        self.init(folders: folders, files: files)
    }

    /// Writes all of it into an empty folder.
    func write(to root: String) throws {
        for folder in folders.sorted() {
            try FileManager.default.createDirectory(
                atPath: root + "/" + folder, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        }
        for (path, content) in files.sorted(by: { $0.key < $1.key }) {
            if let earlier = links[path] {
                try FileManager.default.linkItem(atPath: root + "/" + earlier, toPath: root + "/" + path)
            } else if !FileManager.default.createFile(
                atPath: root + "/" + path, contents: Data(content.bytes),
                attributes: [.posixPermissions: 0o600])
            {
                throw CocoaError(.fileWriteUnknown)
            }
        }
        // An exchange, which comes after all that was written before it, leaves its time on the file that makes way.
        for path in files.keys where path.hasSuffix(".old") {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: root + "/" + path)
        }
    }
}

extension FolderState: CustomStringConvertible {
    /// One line for each file, long texts cut short.
    var description: String {
        let lines = files.sorted { $0.key < $1.key }.map { path, content in
            let shown = content.bytes.prefix(400).map { byte in
                (32..<127).contains(byte) ? String(UnicodeScalar(byte)) : byte == 0 ? "~" : "?"
            }
            let text = shown.joined().replacing(/~{9,}/) { "~\($0.output.count)~" }
            return "    \(path)\(links[path].map { " = \($0)" } ?? ""), \(content.bytes.count) bytes: \(text)"
        }
        return (folders.sorted().map { "    \($0)/" } + lines).joined(separator: "\n")
    }
}
