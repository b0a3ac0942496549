/// A kernel that refuses to say that the journal is on the disk is not asked again for the same file.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct RefusedSynchronizeTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.heldSuite()
        try suite.set(0, forKey: "n")
        try suite.checkpoint()
        suite.onFailure = { _ in }
    }

    private func inode() throws -> UInt64 {
        let path = folder.path + "/settings/.settings.json.journal"
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.systemFileNumber] as? NSNumber).uint64Value
    }

    private func refusing(_ rules: [FaultInjection.Rule], _ body: () throws -> Void) -> DefaultsError.Code? {
        FaultInjection.$current.withValue(FaultInjection(rules)) { refusal { try body() }?.code }
    }

    private let refused = FaultInjection.Rule("fdatasync", errno: EIO)

    @Test func `after a refusal the records go into a new file before anything is promised (F13)`() throws {
        try suite.set(1, forKey: "n")
        try suite.withTransaction { tx in (tx[key: "a"], tx[key: "b"]) = (1, 2) }
        let old = try inode()
        #expect(refusing([refused]) { try suite.synchronize() } == .ioFailure)
        let log = FaultInjection()
        try FaultInjection.$current.withValue(log) { try suite.synchronize() }
        #expect(
            log.calls.filter { ["fsync", "fdatasync", "renameat"].contains($0) } == [
                "fsync", "renameat", "fsync",
            ])
        #expect(try inode() != old)
        #expect(try suite.storedValues() == ["n": 1, "a": 1, "b": 2])
        try suite.set(2, forKey: "n")
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["n": 2, "a": 1, "b": 2])
    }

    @Test func `synchronize goes on throwing until a new file is on the disk`() throws {
        try suite.set(1, forKey: "n")
        let lasting = [
            FaultInjection.Rule("fdatasync", errno: EIO, lasts: true),
            FaultInjection.Rule("fsync", errno: EIO, lasts: true),
        ]
        for _ in 0..<3 { #expect(refusing(lasting) { try suite.synchronize() } == .ioFailure) }
        #expect(try suite.storedValues() == ["n": 1])
        try suite.synchronize()
        #expect(try suite.storedValues() == ["n": 1])
    }

    @Test func `nothing is appended to a file that was refused`() throws {
        try suite.set(1, forKey: "n")
        let old = try inode()
        #expect(refusing([refused]) { try suite.synchronize() } == .ioFailure)
        try suite.set(2, forKey: "n")
        #expect(try inode() != old)
        #expect(try suite.storedValues() == ["n": 2])
    }

    @Test func `a file that was damaged meanwhile is kept before a new one replaces it (F3)`() throws {
        try suite.set(1, forKey: "n")
        #expect(refusing([refused]) { try suite.synchronize() } == .ioFailure)
        // Not as the folder does it, which would wait until the file has followed.
        try Data("oops".utf8).write(to: URL(filePath: folder.settingsPath()))
        _ = try suite.repairFiles()
        #expect(try folder.read("settings/settings.json.damaged-1") == "oops")
        #expect(try folder.foreignReading() == ["n": 1])
    }

    @Test func `a checkpoint whose journal was refused throws, keeps everything, and is made good`() throws {
        try suite.set(1, forKey: "n")
        #expect(refusing([refused]) { try suite.checkpoint() } == .ioFailure)
        #expect(FileManager.default.fileExists(atPath: folder.settingsPath()))
        #expect(try suite.storedValues() == ["n": 1])
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["n": 1])
    }
}
