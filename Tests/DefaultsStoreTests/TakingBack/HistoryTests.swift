@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

/// Versions of a settings file.
@Suite(.timeLimit(.minutes(60)), .ownThread)
struct HistoryTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let failures = Recorder<DefaultsError>()
    private static let place = "settings/.settings.json.history"

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
        // Only those that a test makes, or versions that it has changed by hand may be met by another thread.
        suite.checkpointDelay = .seconds(3_600)
        suite.onFailure = { [failures] in failures.append($0) }
    }

    private func save(_ value: Int?, forKey key: String = "n") throws {
        if let value {
            try suite.set(.number(DefaultsNumber(value)), forKey: key)
        } else {
            try suite.removeValue(forKey: key)
        }
        try suite.checkpoint()
    }

    /// What is stored and a setting.
    private func settings() throws -> [String: DefaultsValue] {
        try suite.storedValues().filter { KeyName($0.key).isSetting }
    }

    private func values(ofKey key: String = "n") throws -> [Int?] {
        try suite.history(forKey: key).map { $0.value?.int }
    }

    /// Puts a version there as a person or another program would.
    private func plant(_ text: String, named name: String) throws {
        try folder.write(text, to: "\(Self.place)/\(name)")
        #expect(chmod("\(folder.path)/\(Self.place)/\(name)", 0o600) == 0)
    }

    @Test func `nothing is kept unless it is asked for`() throws {
        try save(1)
        try save(2)
        #expect(try suite.history() == [])
        #expect(try suite.history(forKey: "n") == [])
        #expect(try !suite.undo(forKey: "n"))
        #expect(try !folder.names().contains(".settings.json.history"))
    }

    @Test func `each checkpoint keeps a plain settings file for the user alone, the newest first`() throws {
        try save(1)
        try suite.keepHistory(.versions(50))
        #expect(chmod(folder.settingsPath(), 0o644) == 0)
        for number in 2...4 { try save(number) }
        let versions = try suite.history()
        // The first two are the file as it was, and the same with `$history`.
        #expect(versions.count == 5)
        #expect(versions.map(\.id) == versions.map(\.id).sorted(by: >))
        #expect(try values() == [4, 3, 2, 1])
        for version in versions {
            let bytes = try Data(contentsOf: URL(filePath: version.path))
            #expect(bytes.count == version.size)
            #expect(try JSONSerialization.jsonObject(with: bytes) is [String: Any])
            #expect(try folder.permissions(of: "\(Self.place)/\(version.id).json") == 0o600)
        }
        let now = Date().timeIntervalSince1970
        #expect(versions.allSatisfy { now - 600...now + 1 ~= $0.secondsSince1970 })
        #expect(try folder.permissions(of: Self.place) == 0o700)
        #expect(try Array(folder.bytes()) == Array(Data(contentsOf: URL(filePath: versions[0].path))))
    }

    @Test func `it is said in the file, is no setting, and stays when all values are removed`() throws {
        try suite.keepHistory(.versions(7, maximumBytes: 1 << 20))
        try save(1)
        #expect(try folder.foreignText().contains(#""$history": {"#))
        #expect(try settings() == ["n": 1])
        try suite.removeAll()
        try suite.checkpoint()
        try save(2)
        #expect(try values() == [2, nil, 1, nil])
        #expect(try suite.undo(forKey: "n"))
        #expect(try suite.undo(forKey: "n"))
        #expect(suite.value(forKey: "n") == 1)
    }

    @Test func `another handle and another process keep versions too`() throws {
        try suite.keepHistory(.versions(50))
        let peer = try Peer.opening(in: folder)
        try peer.expectOK("save n 1")
        try save(2)
        try peer.expectOK("save n 3")
        #expect(try values() == [3, 2, 1, nil])
    }

    @Test(arguments: [false, true])
    func `a save by hand is a version, at the time of the file`(isInPlace: Bool) throws {
        try suite.keepHistory(.versions(50))
        try save(1)
        let edited = try folder.foreignText().replacing(#""n": 1"#, with: #""n": 5"#)
        if isInPlace {
            try folder.write(edited, to: "settings/settings.json")
        } else {
            try folder.saveByRename(edited)
        }
        try save(2)
        let entries = try suite.history(forKey: "n")
        #expect(entries.map { $0.value?.int } == [2, 5, 1, nil])
        #expect(try String(contentsOf: URL(filePath: entries[1].version.path), encoding: .utf8) == edited)
    }

    @Test func `a broken save by hand is a version that says nothing about keys`() throws {
        try suite.keepHistory(.versions(50))
        try save(1)
        try folder.write(#"{"n": 5, "#, to: "settings/settings.json")
        #expect(throws: DefaultsError.self) { try suite.checkpoint() }
        _ = try suite.repairFiles()
        let texts = try suite.history().map {
            try String(contentsOf: URL(filePath: $0.path), encoding: .utf8)
        }
        #expect(texts.contains(#"{"n": 5, "#))
        #expect(try values() == [1, nil])
        let broken = try #require(texts.firstIndex(of: #"{"n": 5, "#))
        let version = try suite.history()[broken]
        #expect(refusal { _ = try suite.draft(restoring: version) }?.code == .malformedFile)
    }

    @Test func `a version restores all values as a draft, and itself`() throws {
        try suite.keepHistory(.versions(50))
        try suite.set(["a": 1, "b": 2], forKey: "o")
        try save(1)
        let version = try #require(try suite.history().first)
        try suite.set(["a": 1], forKey: "o")
        try suite.set("x", forKey: "new")
        try save(nil)
        try suite.keepHistory(.versions(49))
        var draft = try suite.draft(restoring: version)
        #expect(
            draft.changes.map(\.description) == [
                "n: not stored -> 1", #"new: "x" -> not stored"#, #"o: {"a": 1} -> {"a": 1, "b": 2}"#,
            ])
        try draft.apply()
        #expect(try settings() == ["n": 1, "o": ["a": 1, "b": 2]])
        // The limit is not the version's.
        try suite.checkpoint()
        #expect(try folder.read("settings/settings.json").contains("49"))
        draft = try suite.draft(restoring: version)
        #expect(draft.changes == [])
        try FileManager.default.removeItem(atPath: version.path)
        #expect(refusal { _ = try suite.draft(restoring: version) }?.path == version.path)
    }

    @Test func `off removes the versions, and nothing that is somebody's own`() throws {
        try suite.keepHistory(.versions(50))
        try save(1)
        try save(2)
        try suite.undo(forKey: "n")
        try plant("{}", named: "mine.json")
        try suite.keepHistory(.off)
        #expect(try suite.history() == [])
        #expect(try folder.names(in: Self.place) == ["mine.json"])
        #expect(try !folder.foreignText().contains("$history"))
        try save(3)
        #expect(try suite.history() == [])
    }

    @Test(arguments: [DefaultsHistoryLimit.versions(0), .versions(-1), .versions(5, maximumBytes: 0)])
    func `a limit of nothing is refused`(_ limit: DefaultsHistoryLimit) throws {
        #expect(refusal { try suite.keepHistory(limit) }?.code == .invalidValue)
        try save(1)
        #expect(try suite.history() == [])
    }

    @Test func `a limit that is no limit in the file keeps nothing and is left alone`() throws {
        let text = "{\n  \"$history\": {\"versions\": \"all\"},\n  \"n\": 1\n}\n"
        try folder.write(text, to: "settings/settings.json")
        try save(2)
        #expect(try suite.history() == [])
        #expect(try folder.foreignText() == text.replacing("1", with: "2"))
    }

    @Test func `in memory there are no versions`() throws {
        let suite = DefaultsSuite.inMemory()
        try suite.keepHistory(.versions(5))
        try suite.set(1, forKey: "n")
        try suite.checkpoint()
        #expect(try suite.history() == [])
        #expect(try !suite.undo(forKey: "n"))
    }
}

/// Versions that something is wrong with.
extension HistoryTests {
    @Test(arguments: ["{", #"["n"]"#, #"{"n": 1} x"#])
    func `a damaged version is passed over`(_ text: String) throws {
        try suite.keepHistory(.versions(50))
        for number in 1...3 { try save(number) }
        let version = try suite.history()[1]
        try plant(text, named: version.id + ".json")
        #expect(try values() == [3, 1, nil])
        try suite.undo(forKey: "n")
        #expect(suite.value(forKey: "n") == 1)
        try suite.redo(forKey: "n")
        #expect(suite.value(forKey: "n") == 3)
    }

    @Test(arguments: ["link", "user", "folder", "pipe"])
    func `a version that is not this user's own file is reported with its path, and all others count`(
        _ kind: String
    ) throws {
        try suite.keepHistory(.versions(50))
        try save(1)
        let version = try #require(try suite.history().first)
        try FileManager.default.moveItem(atPath: version.path, toPath: folder.path + "/elsewhere")
        switch kind {
        case "link":
            try FileManager.default.createSymbolicLink(
                atPath: version.path, withDestinationPath: folder.path + "/elsewhere")
        case "folder": #expect(mkdir(version.path, 0o700) == 0)
        case "pipe": #expect(mkfifo(version.path, 0o600) == 0)
        default:
            try plant("{}", named: version.id + ".json")
            try #require(chown(version.path, 65_534, 65_534) == 0)
        }
        #expect(try values() == [nil])
        #expect(failures.all.map(\.path) == [version.path])
        #expect(refusal { _ = try suite.draft(restoring: version) }?.path == version.path)
        try save(2)
        try save(3)
        #expect(try values() == [3, 2, 1, nil])
        #expect(try suite.undo(forKey: "n"))
        #expect(suite.value(forKey: "n") == 2)
    }

    @Test func `a version from the future is a version, and new ones come behind it`() throws {
        try suite.keepHistory(.versions(50))
        try save(1)
        try plant(#"{"n": 9}"#, named: "29991231T235959.000000Z.json")
        try save(2)
        #expect(
            try suite.history().prefix(2).map(\.id) == ["29991231T235959.000002Z", "29991231T235959.000001Z"])
        // What it stands before is kept once more.
        #expect(try values() == [2, 1, 9, 1, nil])
    }

    @Test func `behind the last version that has a name none is kept, and that is said`() throws {
        try suite.keepHistory(.versions(50))
        let last = "99991231T235959.999999Z.json"
        try plant(#"{"n": 9}"#, named: last)
        try save(1)
        #expect(failures.all.map(\.code) == [.ioFailure])
        #expect(failures.all.first?.path?.hasSuffix(last) == true)
        #expect(try folder.foreignReading()["n"] as? Int == 1)
    }

    /// Two threads make checkpoints: one keeps what it has put in place, the other has replaced nothing that it knows of.
    @Test func `a version that another thread has kept already is kept once, behind what it has replaced`()
        throws
    {
        let versions = VersionFolder(of: try #require(suite.context.location))
        func keep(_ files: (text: String, time: Int64)..., isInPlace: Bool = true) throws {
            let files = files.map { VersionFolder.File(Array($0.text.utf8), at: $0.time * 1_000) }
            try versions.keep(files, within: .versions(9)) { isInPlace }
        }
        func texts() throws -> [String] {
            try versions.entries().map { entry in
                String(decoding: try #require(try versions.bytes(of: entry.moment)), as: UTF8.self)
            }
        }
        try keep((#"{"n": 2}"#, 20))
        try keep((#"{"n": 4}"#, 40))
        try keep((#"{"n": 3}"#, 30), (#"{"n": 4}"#, 41))
        #expect(try texts() == [2, 3, 4].map { #"{"n": \#($0)}"# })
        try keep((#"{"n": 3}"#, 30), (#"{"n": 4}"#, 42))
        #expect(try texts() == [2, 3, 4].map { #"{"n": \#($0)}"# })
        // The same was stored twice.
        try keep((#"{"n": 4}"#, 39), (#"{"n": 4}"#, 43))
        #expect(try texts() == [2, 3, 4].map { #"{"n": \#($0)}"# })
        // A person has saved 5, and a program stores 4 again.
        try keep((#"{"n": 5}"#, 50), (#"{"n": 4}"#, 60))
        #expect(try texts() == [2, 3, 4, 5, 4].map { #"{"n": \#($0)}"# })
        // A person has saved 6, one thread has stored 7 over it, and another one has stored the same over that.
        try keep((#"{"n": 7}"#, 80), (#"{"n": 7}"#, 90))
        try keep((#"{"n": 6}"#, 70), (#"{"n": 7}"#, 80), isInPlace: false)
        #expect(try texts() == [2, 3, 4, 5, 4, 6, 7].map { #"{"n": \#($0)}"# })
        // Nobody has kept this one: it may be of before the versions were removed.
        try keep((#"{"n": 8}"#, 75), (#"{"n": 9}"#, 85), isInPlace: false)
        #expect(try texts() == [2, 3, 4, 5, 4, 6, 7].map { #"{"n": \#($0)}"# })
    }

    @Test func `versions that a person removes are not there, and others are kept on`() throws {
        try suite.keepHistory(.versions(50))
        for number in 1...3 { try save(number) }
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(Self.place)")
        #expect(try suite.history() == [])
        try save(4)
        // The replaced file is kept too, since it is no version any more.
        #expect(try values() == [4, 3])
    }

    @Test func `a folder that cannot be written costs versions and says so until it can`() throws {
        try suite.keepHistory(.versions(50))
        try save(1)
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(Self.place)")
        try Data().write(to: URL(filePath: "\(folder.path)/\(Self.place)"))
        try save(2)
        #expect(try folder.foreignReading()["n"] as? Int == 2)
        #expect(failures.all.count == 1)
        #expect(failures.all.first?.path?.contains(".settings.json.history") == true)
        #expect(refusal { try suite.undo(forKey: "n") } != nil)
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(Self.place)")
        try save(3)
        #expect(try values() == [3, 2])
    }

    @Test(arguments: [ENOSPC, EIO, EACCES], ["openat", "pwrite", "fsync", "renameat", "fdopendir", "flock"])
    func `a version that the system refuses costs nothing but itself (F27)`(errno: Int32, call: String) throws
    {
        try suite.keepHistory(.versions(50))
        try save(1)
        let before = try suite.history()
        let versions = VersionFolder(of: try #require(suite.context.location))
        let faults = FaultInjection(FaultInjection.Rule(call, errno: errno, lasts: true))
        FaultInjection.$current.withValue(faults) {
            let refused = refusal {
                try versions.keep([VersionFolder.File(Array("{}".utf8), at: 1)], within: .versions(50)) {
                    true
                }
            }
            #expect(refused?.path?.contains(".settings.json.history") == true)
        }
        #expect(try suite.history() == before)
        #expect(try folder.names(in: Self.place).filter { $0.hasPrefix(".") } == [])
        try save(2)
        #expect(try values() == [2, 1, nil])
    }

    @Test func `a file that was replaced before it was kept is left to who has replaced it`() throws {
        try suite.keepHistory(.versions(50))
        try save(1)
        let store = try suite.context.store()
        let (late, identity) = (store.latest, try #require(store.latest.identity))
        try save(2)
        let versions = try suite.history()
        store.keepVersions(of: late.values.document, identity, over: late)
        #expect(try suite.history() == versions)
        #expect(failures.all == [])
    }

    @Test
    func `an editor's file beside a version stays, and what a killed process has left goes after a minute`()
        throws
    {
        try suite.keepHistory(.versions(50))
        try save(1)
        let version = try #require(try suite.history().first)
        let others = [".\(version.id).json.swp", ".notes", ".settings.123", ".mine.json.123"]
        let (old, young) = (".\(version.id).json.123", ".\(version.id).json.456")
        for name in others + [old, young] { try plant("{", named: name) }
        for name in others + [old] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -120)],
                ofItemAtPath: "\(folder.path)/\(Self.place)/\(name)")
        }
        try save(2)
        #expect(try folder.names(in: Self.place).filter { $0.hasPrefix(".") } == (others + [young]).sorted())
    }

    @Test func `a file whose time is in the future is a version of now`() throws {
        try suite.keepHistory(.versions(50))
        try save(1)
        try folder.saveByRename(try folder.foreignText().replacing(#""n": 1"#, with: #""n": 5"#))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 1e9)], ofItemAtPath: folder.settingsPath())
        try save(2)
        #expect(try values() == [2, 5, 1, nil])
        #expect(try suite.history().allSatisfy { $0.secondsSince1970 <= Date.now.timeIntervalSince1970 })
    }

    @Test func `as many as a number can say are kept`() throws {
        try suite.keepHistory(.versions(.max, maximumBytes: .max))
        for number in 1...3 { try save(number) }
        #expect(try values() == [3, 2, 1, nil])
    }

    @Test func `who keeps a version under the lock of all versions holds no writer back`() throws {
        try suite.keepHistory(.versions(50))
        // Then its checkpoint is one under the writer's lock.
        let peer = try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints checkpointsConcurrently")
        let lock = try #require(FileHandle(forUpdatingAtPath: "\(folder.path)/\(Self.place)/lock"))
        #expect(flock(lock.fileDescriptor, LOCK_EX) == 0)
        try peer.send("save n 1")
        #expect(try eventually { try folder.foreignText().contains(#""n": 1"#) })
        #expect(try eventually { try folder.isLockFree() })
        #expect(flock(lock.fileDescriptor, LOCK_UN) == 0)
        #expect(try peer.receive() == "ok")
        #expect(try peer.ask("failures") == "")
        #expect(try values() == [1, nil])
    }
}
