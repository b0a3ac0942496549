/// What must hold of a suite whose journal and lock file have any bytes; run by tests and by `.ci/fuzz`.
@testable import DefaultsStore
import Foundation

enum SuiteFuzzCheck {
    /// What does not hold, nil when everything does: of the files as they are, and with a journal whose checksums fit.
    ///
    /// An input's first byte chooses the settings file; then come the journal, a byte 29, and changes of the lock file's
    /// page: two bytes say where, the third what stands there. Without the byte 29 there is no lock file.
    static func objection(to input: [UInt8]) -> String? {
        let parts = input.dropFirst().split(separator: 29, maxSplits: 1, omittingEmptySubsequences: false)
        guard let choice = input.first, let journal = parts.first.map({ Array($0) }) else { return nil }
        let lock = parts.count > 1 ? patched(Array(parts[1])) : nil
        let settings = Array(texts[Int(choice) % texts.count].utf8)
        return [journal, JournalFuzzCheck.mended(journal)].lazy.compactMap {
            Place(settings: settings, journal: $0, lock: lock).objection
        }.first
    }

    private static let texts = [
        "{\n  \"a\": 1,\n  \"b\": [true, null]\n}\n",
        "// mine\n{ \"a\": 1, /* two */ \"$schema\": \"s\", \"a\": 2, }\n",
        "{}", "{\"\\u0061\":0.5,\"theme\":\"dark\"}", "{\n  \"a\": oops,\n  \"b\": 2\n}\n",
    ]

    private static func patched(_ changes: [UInt8]) -> [UInt8] {
        var page = [UInt8](repeating: 0, count: 4096)
        page.replaceSubrange(0..<16, with: [7, 0, 0, 0, 0, 0, 0, 0] + Array("TDLOCK".utf8) + [2, 0])
        for change in stride(from: 0, to: changes.count - 2, by: 3) {
            page[(Int(changes[change]) << 8 | Int(changes[change + 1])) % page.count] = changes[change + 2]
        }
        return page
    }

    /// One suite's folder.
    private struct Place {
        let settings: [UInt8]
        let journal: [UInt8]
        let lock: [UInt8]?
        private let folder = "/dev/shm/typed-defaults-fuzz-\(getpid())-\(UInt64.random(in: 0 ... .max))"

        var objection: String? {
            do {
                try FileManager.default.createDirectory(
                    atPath: folder + "/s", withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
                try write(settings, "settings.json")
                try write(journal, ".settings.json.journal")
                if let lock { try write(lock, ".settings.json.lock") }
                let objection = try objectionToUse()
                try FileManager.default.removeItem(atPath: folder)
                return objection
            } catch { return "\(error)" }
        }

        private func write(_ bytes: [UInt8], _ name: String) throws {
            try Data(bytes).write(to: URL(filePath: "\(folder)/s/\(name)"))
        }

        private func objectionToUse() throws -> String? {
            var before: [String: DefaultsValue]?
            do throws(DefaultsError) {
                let suite = try DefaultsSuite("s", in: folder)
                let single = suite.value(forKey: "a")
                do throws(DefaultsError) { before = try suite.storedValues() } catch {
                    guard error.code == .malformedFile else { return "read: \(error)" }
                }
                if let before, before["a"] != single { return "read alone, a is another value" }
                do throws(DefaultsError) { try suite.set(7, forKey: "fuzzed") } catch {
                    // A page of a later format is not written.
                    return error.code == .unsupportedFormat || isGenerationAtItsEnd(error)
                        ? nil : "set: \(error)"
                }
                if suite.value(forKey: "fuzzed") != 7 { return "what was set is not read" }
                if before == nil { _ = try suite.repairFiles() } else { try suite.checkpoint() }
                if suite.value(forKey: "fuzzed") != 7 { return "not read after the checkpoint" }
            } catch { return "\(error)" }
            return try objectionToResult(before)
        }

        /// Whether a write was refused because the generation, the lock file's or the journal's, cannot be counted up.
        private func isGenerationAtItsEnd(_ error: DefaultsError) -> Bool {
            let ofLock = (lock ?? []).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
            let ofJournal = Data(journal).range(of: Data("7fffffff".utf8)) != nil
            return error.code == .ioFailure && error.underlyingDescription?.contains("generation") == true
                && (ofJournal || ofLock >= LockFile.greatestGeneration - 10)
        }

        private func objectionToResult(_ before: [String: DefaultsValue]?) throws -> String? {
            let after = try DefaultsSuite("s", in: folder).storedValues()
            if after["fuzzed"] != 7 { return "what was set is not there" }
            if let before, before.merging(["fuzzed": 7], uniquingKeysWith: { $1 }) != after {
                return "other values are \(after), were \(before)"
            }
            if before == nil, !(try isKept(settings)) { return "a file that cannot be read is not kept" }
            return try isNoteKept() ? nil : "somebody's line in the journal is gone"
        }

        /// A line of somebody's own in the journal is somewhere still.
        private func isNoteKept() throws -> Bool {
            let note = Array("KEEP".utf8)
            guard journal.split(separator: 10).dropLast().contains(note[...]) else { return true }
            return try contents { _ in true }.contains { Data($0).range(of: Data(note)) != nil }
        }

        private func isKept(_ bytes: [UInt8]) throws -> Bool {
            try contents { $0.contains("damaged") }.contains(bytes)
        }

        /// The bytes of the files that are wanted by name; not through `Data`, which leaks a page for each empty file.
        private func contents(_ isWanted: (String) -> Bool) throws -> [[UInt8]] {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/s").filter(isWanted)
            return try names.map { name in
                let file = try SystemCalls.openFile("\(folder)/s/\(name)")
                return try SystemCalls.readToEnd(file, from: 0)
            }
        }
    }
}
