@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

/// A suite with a file that is large enough to have an index.
struct IndexedFolder {
    let folder: TemporaryFolder
    private static let lock = "settings/.settings.json.lock"

    /// A folder with three thousand keys, each of which has its number as its value.
    static func made() throws -> IndexedFolder {
        let made = IndexedFolder(folder: try TemporaryFolder())
        try made.folder.write(text(), to: "settings/settings.json")
        return made
    }

    /// Three thousand members of a line each; one may have another value of six digits.
    static func text(_ key: Int = 100_000, value: Int? = nil) -> String {
        let lines = (100_000..<103_000).map { "  \"key-number-\($0)\": \($0 == key ? value ?? $0 : $0)" }
        return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
    }

    /// The files, open beside those of the suite.
    func files() throws -> SuiteFiles {
        try SuiteFiles.open(
            #require(
                SuiteLocation(
                    path: folder.settingsPath(), allowsInsecureDirectory: false)))
    }

    /// What the settings file is now.
    func read(
        _ files: SuiteFiles
    ) throws -> (document: SettingsDocument, status: FileStatus, series: UInt64) {
        let contents = try #require(try SettingsFile.read(files))
        let series = try #require(TextIndexNote.series(of: contents.status))
        return (SettingsDocument.read(contents.bytes).document, contents.status, series)
    }

    /// Makes the index of the present version, whether or not it rests.
    func makeIndex(expecting count: UInt64? = 8) throws {
        let files = try files()
        let read = try read(files)
        TextIndexNote.make(of: read.document, read.series, files)
        #expect(files.page?.textIndex?.count == count)
    }

    /// What a read has found, and whether without loading the file.
    struct Outcome: Equatable {
        let value: DefaultsValue?
        let isLookedUp: Bool
    }

    /// Opens the suite and reads a key.
    ///
    /// - Parameter files: what the test itself has open.
    func read(_ key: String, beside files: SuiteFiles? = nil) throws -> Outcome {
        // What was opened before is closed, or it would be shared.
        #expect(try eventually { try folder.openDescriptors() == (files == nil ? 0 : 2) })
        let suite = try folder.suite()
        let value = suite.value(forKey: key)
        return Outcome(value: value, isLookedUp: try suite.context.store().latest.isUnread)
    }

    func lockFile() throws -> [UInt8] { try folder.bytes(of: Self.lock) }

    /// Overwrites bytes of the lock file in place.
    func patch(_ bytes: [UInt8], at offset: Int) throws {
        try overwrite(bytes, at: offset, in: Self.lock)
    }

    /// Overwrites bytes of a file in place.
    func overwrite(_ bytes: [UInt8], at offset: Int, in name: String) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: "\(folder.path)/\(name)"))
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    /// Puts another file in place of the settings file, as an editor does.
    func replace(_ bytes: [UInt8]) throws {
        try folder.awaitCheckpoint()
        try Data(bytes).write(to: URL(filePath: folder.settingsPath()), options: .atomic)
    }

    func replace(value: Int) throws { try replace(Array(Self.text(value: value).utf8)) }
}
