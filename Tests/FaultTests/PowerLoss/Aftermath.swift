/// What the store makes of a folder that a power loss has left.
import DefaultsStore
import Foundation
import Libc
import TestSupport

struct Aftermath {
    /// What is wrong whatever had been promised; nil where nothing is.
    private(set) var objection: String?
    /// What was wrong with the settings file, for whoever did not expect it.
    private(set) var damage: String?
    /// What was stored.
    private(set) var stored: StoredSettings = [:]

    /// Opens what is left, writes, opens a copy of it, checkpoints, and looks at the file itself.
    init(of state: FolderState, parent: String) {
        do {
            let place = try Scratch()
            try state.write(to: place.path)
            try look(at: place.path + "/" + parent)
        } catch {
            objection = "\(error)"
        }
    }

    private mutating func look(at folder: String) throws {
        let path = folder + "/settings/settings.json"
        damage = Aftermath.damage(of: path)
        let suite = try DefaultsSuite("settings", in: folder)
        let failures = Locked<[DefaultsError]>([])
        suite.onFailure = { error in failures.withLock { $0.append(error) } }
        // An exchange that nobody has looked at is put right by the first writer; until then a save that it displaced
        // is not seen.
        let isExchanging = FileManager.default.fileExists(atPath: folder + "/settings/.settings.json.old")
        if isExchanging { try writeFirst(in: suite) }
        stored = try values(of: suite)
        stored["afterwards"] = nil
        let starts = try Aftermath.starts(beside: path)
        // It says something about the file.
        let history = stored.removeValue(forKey: "$history")
        // No write replaces a file that cannot be read; a person does.
        if damage != nil { _ = try suite.repairFiles() }
        try suite.set("again", forKey: "afterwards")
        var expected = stored.merging(["afterwards": "again"]) { _, new in new }
        expected["$history"] = history

        let copy = try Scratch()
        try Aftermath.whileLocked(folder) { try FolderState(of: folder) }.write(to: copy.path)
        let reopened = try DefaultsSuite("settings", in: copy.path).storedValues()
        if reopened != expected { objection = "after one more write it held \(reopened), not \(expected)" }

        try suite.checkpoint()
        objection = objection ?? Aftermath.difference(path, expected)
        objection = try objection ?? Aftermath.damagedVersion(beside: path)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder + "/settings")
            .filter { $0.hasSuffix(".tmp") || $0.hasSuffix(".old") }
        if !left.isEmpty { objection = objection ?? "left behind: \(left)" }
        let reports = failures.withLock { $0 }
        if damage == nil, !reports.isEmpty { damage = "reported: \(reports)" }
        stored.merge(starts) { $1 }
    }

    /// Writes for the first time; a file that cannot be read, and that nobody is known to have written, refuses that.
    private func writeFirst(in suite: DefaultsSuite) throws {
        do throws(DefaultsError) { try suite.set("first", forKey: "afterwards") } catch {
            guard error.code == .malformedFile else { throw error }
        }
    }

    /// The stored values; of a damaged file those that can still be read.
    private mutating func values(of suite: DefaultsSuite) throws -> StoredSettings {
        do throws(DefaultsError) { return try suite.storedValues() } catch {
            guard error.code == .malformedFile else { throw error }
            damage = damage ?? "refused: \(error)"
            return suite.dictionaryRepresentation()
        }
    }

    /// What is kept of starts, under the names of its files.
    private static func starts(beside path: String) throws -> StoredSettings {
        var kept: StoredSettings = [:]
        for (name, member) in [(SuiteCommand.OwnFile.good, nil), (SuiteCommand.OwnFile.failed, "failed")] {
            let file = history(of: path).appending(path: name)
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            let whole = try StoredValue(validating: Array(try Data(contentsOf: file))).value
            kept[name] = member.flatMap { whole.object?[$0] } ?? whole
        }
        return kept
    }

    private static func history(of path: String) -> URL {
        URL(filePath: path).deletingLastPathComponent().appending(path: ".settings.json.history")
    }

    /// Whether a version of the settings file is anything but whole.
    private static func damagedVersion(beside path: String) throws -> String? {
        let folder = history(of: path)
        guard FileManager.default.fileExists(atPath: folder.path) else { return nil }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for name in names where !name.hasPrefix(".") && name.hasSuffix(".json") {
            if let damage = damage(of: folder.appending(path: name).path) { return "\(name): \(damage)" }
        }
        return nil
    }

    /// Why a settings file is no JSON object to Foundation; nil where it is one, or is not there.
    private static func damage(of path: String) -> String? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
            return object is [String: Any] ? nil : "the settings file is no object"
        } catch {
            return "the settings file does not parse: \(error)"
        }
    }

    private static func difference(_ path: String, _ expected: StoredSettings) -> String? {
        do {
            let found = try StoredValue(validating: Array(try Data(contentsOf: URL(filePath: path)))).value
            let wanted = DefaultsValue.object(DefaultsObject(expected.map { (key: $0.key, value: $0.value) }))
            return found == wanted ? nil : "after a checkpoint the file holds \(found), not \(wanted)"
        } catch {
            return "after a checkpoint the file cannot be read: \(error)"
        }
    }

    /// Keeps every writer out meanwhile, this process's own checkpoints too.
    private static func whileLocked<Result>(_ folder: String, _ body: () throws -> Result) throws -> Result {
        let lock = open(folder + "/settings/.settings.json.lock", O_RDWR | O_CLOEXEC)
        guard lock >= 0, flock(lock, LOCK_EX) == 0 else { throw POSIXError.current }
        defer {
            // A process that another test starts at this time may have the file too.
            flock(lock, LOCK_UN)
            close(lock)
        }
        return try body()
    }
}

/// A folder in memory that goes with the last reference to it.
private final class Scratch {
    let path: String

    init() throws {
        let shared = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        path = "\(shared)/typed-defaults-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: path) } catch {
            FileHandle.standardError.write(Data("a test's folder stays behind: \(path): \(error)\n".utf8))
        }
    }
}
