/// What looking through a suite's files finds, and what a repair makes of it.
@_spi(TypedDefaults) @testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct InspectionTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        // In a debug build one checkpoint of what is large here takes longer than another one waits for it.
        suite = try folder.heldSuite()
        suite.onFailure = { _ in }
        try suite.set(1, forKey: "n")
        try suite.checkpoint()
    }

    private func path(_ name: String) -> String { "\(folder.path)/settings/\(name)" }

    private func setMode(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func mode(_ path: String) throws -> Int? {
        (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }

    /// Each finding in a few words: how much it matters, its kind, the name of the file, and the place in it.
    private func found(_ findings: [DefaultsFinding]? = nil) -> [String] {
        (findings ?? suite.inspectFiles()).map { finding in
            let place = finding.line.map { " \($0):\(finding.column ?? 0)" } ?? ""
            return
                "\(finding.severity) \(finding.category) \(URL(filePath: finding.path).lastPathComponent)\(place)"
        }
    }

    @Test func `a suite that is as it should be has no findings`() {
        #expect(suite.inspectFiles() == [])
        #expect(DefaultsSuite.inMemory().inspectFiles() == [])
    }

    @Test func `a suite that is not there is a note, and looking makes nothing`() throws {
        let other = try folder.suite("other")
        #expect(found(other.inspectFiles()) == ["note missing other"])
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/other"))
    }

    @Test func `a file that does not parse is an error with its place, and a repair keeps its bytes`() throws
    {
        let broken = "{\n  \"n\": 1,\n  \"m\": oops\n}\n"
        try folder.write(broken, to: "settings/settings.json")
        #expect(found() == ["error malformedFile settings.json 3:8"])
        #expect(suite.inspectFiles().first?.isRepairable == true)
        #expect(try found(suite.repairFiles()) == ["note damagedCopy settings.json.damaged-1"])
        #expect(try folder.read("settings/settings.json.damaged-1") == broken)
        #expect(try suite.storedValues()["n"] == 1)
    }

    @Test func `a person's text takes the file's place whole, and a broken file is kept beside it`() throws {
        func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
        let before = try folder.bytes()
        let events = Recorder<DefaultsChange>()
        let observation = suite.observe(forKey: "n", options: [.new]) { events.append($0) }
        let edited = "// mine\n{\"n\": 5}"
        #expect(try suite.replaceFile(with: bytes(edited), editedFrom: bytes("{}")) == nil)
        #expect(try suite.replaceFile(with: bytes(edited), editedFrom: nil) == nil)
        #expect(try folder.bytes() == before)
        let done = try suite.replaceFile(with: bytes(edited), editedFrom: before)
        #expect(done == DefaultsReplacement(keyCount: 1, backupPath: nil))
        #expect(try folder.read("settings/settings.json") == edited)
        #expect(events.wait(for: 1))
        #expect(events.all.map(\.newValue) == [5] && events.all.map(\.cause) == [.fileEdited])
        observation.invalidate()

        try suite.set(6, forKey: "n")
        #expect(try suite.replaceFile(with: bytes("{}"), editedFrom: bytes(edited)) == nil)
        try suite.checkpoint()

        try folder.write("{oops", to: "settings/settings.json")
        try suite.set(7, forKey: "m")
        let mended = try suite.replaceFile(with: bytes("{\"o\": 8}"), editedFrom: bytes("{oops"))
        #expect(mended == DefaultsReplacement(keyCount: 2, backupPath: path("settings.json.damaged-1")))
        #expect(try folder.read("settings/settings.json.damaged-1") == "{oops")
        #expect(try suite.storedValues() == ["o": 8, "m": 7])

        let refused = refusal { _ = try suite.replaceFile(with: bytes("{\n  x"), editedFrom: nil) }
        #expect(refused?.code == .malformedText && refused?.line == 2)
        let inside = refusal {
            try suite.withTransaction { _ in _ = try suite.replaceFile(with: bytes("{}"), editedFrom: nil) }
        }
        #expect(inside?.code == .lockTimeout)
        let fresh = try folder.suite("fresh")
        #expect(try fresh.replaceFile(with: bytes("{\"a\": 1}"), editedFrom: nil)?.keyCount == 1)
        #expect(try fresh.storedValues() == ["a": 1])
        #expect(try DefaultsSuite.inMemory().replaceFile(with: bytes("{}"), editedFrom: nil) == nil)
    }

    @Test func `a key that stands twice is a warning at its second place, which a repair leaves`() throws {
        try folder.write("{\n  \"n\": 1,\n  \"n\": 2\n}\n", to: "settings/settings.json")
        #expect(found() == ["warning duplicateKey settings.json 3:3"])
        #expect(suite.inspectFiles().first?.key == "n")
        #expect(try found(suite.repairFiles()) == ["warning duplicateKey settings.json 3:3"])
    }

    @Test func `what is over a limit is a note with its place: it is read, and stays as it is`() throws {
        let (key, value) = (String(repeating: "k", count: 65_537), String(repeating: "v", count: 16 << 20))
        let members = "{\n  \"\": 1,\n  \"\(key)\": 2,\n  \"large\": \"\(value)\""
        try folder.write(members + "\n}\n", to: "settings/settings.json")
        let findings = suite.inspectFiles()
        #expect(
            found(findings) == [
                "note invalidKey settings.json 2:3", "note invalidKey settings.json 3:3",
                "note valueTooLarge settings.json 4:3",
            ])
        #expect(findings.map(\.key) == [nil, nil, "large"])
        try suite.set(3, forKey: "n")
        try suite.checkpoint()
        #expect(try folder.read("settings/settings.json") == members + ",\n  \"n\": 3\n}\n")
    }

    @Test func `a folder that everybody can write is an error, and a repair takes the right away`() throws {
        try setMode(0o777, folder.path + "/settings")
        #expect(found() == ["error insecureDirectory settings"])
        #expect(try found(suite.repairFiles()) == ["note mode settings"])
        #expect(try mode(folder.path + "/settings") == 0o775)
    }

    @Test func `a file that others can write is a warning, and a repair takes that right alone`() throws {
        try setMode(0o666, folder.settingsPath())
        #expect(found() == ["warning mode settings.json", "note mode settings.json"])
        #expect(try found(suite.repairFiles()) == ["note mode settings.json"])
        #expect(try mode(folder.settingsPath()) == 0o664)
    }

    @Test func `a link that leads to itself is an error`() throws {
        try FileManager.default.removeItem(atPath: folder.settingsPath())
        try FileManager.default.createSymbolicLink(
            atPath: folder.settingsPath(), withDestinationPath: folder.settingsPath())
        #expect(found() == ["error insecureDirectory settings.json"])
    }

    @Test(arguments: [".settings.json.tmp", ".settings.json.old"])
    func `what a dead writer left is a warning, and a repair puts it right`(_ name: String) throws {
        try Data("{\"n\": 2}".utf8).write(to: URL(filePath: path(name)))
        #expect(found() == ["warning leftover \(name)"])
        let left = try suite.repairFiles()
        #expect(left.allSatisfy { $0.category == "damagedCopy" })
        #expect(!FileManager.default.fileExists(atPath: path(name)))
        #expect(try suite.storedValues() == ["n": 1])
    }

    @Test func `what a writer is doing at the moment is not taken for a leftover`() throws {
        try suite.withTransaction { _ in
            try Data("{}".utf8).write(to: URL(filePath: path(".settings.json.tmp")))
            #expect(found() == ["note busy .settings.json.lock"])
        }
    }

    @Test func `records that the file does not have are a note with their number`() throws {
        let header = JournalHeader(generation: 5)
        let records = [6, 7].map { generation in
            JournalRecord(
                generation: generation,
                changes: [
                    StoredChange(StoredValue(.number(DefaultsNumber(generation))), forKey: KeyName("m"))
                ]
            ).line(header.nonce)
        }
        let other = try folder.suite("other")
        try folder.write("{}", to: "other/settings.json")
        try Data(header.bytes + records.joined()).write(
            to: URL(filePath: folder.path + "/other/.settings.json.journal"))
        #expect(
            found(other.inspectFiles()) == ["note mode settings.json", "note journal .settings.json.journal"])
        #expect(other.inspectFiles().last?.reason.contains("2 writes") == true)
        #expect(try found(other.repairFiles()) == ["note mode settings.json"])
        #expect(try other.storedValues() == ["m": 7])
    }

    @Test func `a torn line behind the records is a note`() throws {
        let journal = try FileHandle(forWritingTo: URL(filePath: path(".settings.json.journal")))
        try journal.seekToEnd()
        try journal.write(contentsOf: Data("0123".utf8))
        try journal.close()
        #expect(found() == ["note journal .settings.json.journal"])
    }

    @Test func `a journal whose first line does not count is a warning`() throws {
        let other = try folder.suite("other")
        try folder.write("{}", to: "other/settings.json")
        try Data("nonsense".utf8).write(to: URL(filePath: folder.path + "/other/.settings.json.journal"))
        #expect(found(other.inspectFiles()).last == "warning journal .settings.json.journal")
    }

    @Test func `a lock file of a newer format is an error`() throws {
        let lock = try FileHandle(forUpdating: URL(filePath: path(".settings.json.lock")))
        try lock.seek(toOffset: 14)
        try lock.write(contentsOf: Data([9, 0]))
        try lock.close()
        #expect(found() == ["error unsupportedFormat .settings.json.lock"])
    }

    @Test(arguments: ["newer", "linked"])
    func `a lock file that cannot be used hides no other file's fault`(_ fault: String) throws {
        try folder.write("{\"n\": oops}", to: "settings/settings.json")
        if fault == "linked" {
            #expect(link(path(".settings.json.lock"), folder.path + "/other") == 0)
        } else {
            let lock = try FileHandle(forUpdating: URL(filePath: path(".settings.json.lock")))
            try lock.seek(toOffset: 14)
            try lock.write(contentsOf: Data([9, 0]))
            try lock.close()
        }
        let kinds = suite.inspectFiles().filter { $0.severity == .error }.map(\.category)
        #expect(kinds == [fault == "linked" ? "insecureDirectory" : "unsupportedFormat", "malformedFile"])
    }

    @Test func `a description has the place, the reason and the recovery suggestion, and no value`() throws {
        try folder.write("{\"n\": s3cret}", to: "settings/settings.json")
        let text = try #require(suite.inspectFiles().first?.description)
        #expect(text.hasPrefix("error: \(folder.settingsPath()):1:7: "))
        #expect(text.contains("Fix that place") && !text.contains("s3cret"))
    }
}
