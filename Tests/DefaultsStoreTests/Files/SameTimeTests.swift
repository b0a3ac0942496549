/// A file of the same size and time takes the settings file's place, as an archive with fixed times unpacks it.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct SameTimeTests {
    /// What this process has known the settings file from, before it is replaced.
    enum Knowledge: CaseIterable, Sendable { case read, checkpoint, checkpointOfAnother, commits }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Removes the file and makes it again, with a time that is always the same.
    private func unpack(_ text: String) throws {
        let path = folder.settingsPath()
        unlink(path)
        try folder.write(text, to: "settings/settings.json")
        let time = timespec(tv_sec: 1_700_000_000, tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    }

    @Test(arguments: Knowledge.allCases)
    func `it is seen, and the next write keeps what it says (F8)`(_ knowledge: Knowledge) throws {
        try folder.write("{}\n", to: "settings/settings.json")
        let suite = try folder.suite()
        try unpack("{\n  \"level\": 1\n}\n")
        #expect(suite.value(forKey: "level") == 1)
        switch knowledge {
        case .read: break
        case .commits: for number in 0..<3 { try suite.set(DefaultsValue(number), forKey: "own") }
        case .checkpoint, .checkpointOfAnother:
            let writer = knowledge == .checkpoint ? suite : try DefaultsSuite("settings", in: folder.path)
            try writer.set(2, forKey: "level")
            try writer.checkpoint()
            #expect(suite.value(forKey: "level") == 2)
            let time = timespec(tv_sec: 1_700_000_000, tv_nsec: 0)
            #expect(utimensat(AT_FDCWD, folder.settingsPath(), [time, time], 0) == 0)
            #expect(
                try suite.context.store().loader.reload().values.value(forKey: KeyName("level"))?.value == 2)
        }
        // A file system hands out the number of an inode again as soon as nobody has the file.
        for level in 3..<9 {
            try unpack("{\n  \"level\": \(level)\n}\n")
            #expect(eventually { suite.value(forKey: "level") == DefaultsValue(level) })
            try suite.set(DefaultsValue(level), forKey: "own")
        }
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["level": 8, "own": 8])
    }
}
