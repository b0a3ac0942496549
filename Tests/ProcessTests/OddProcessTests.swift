/// Processes that were started carelessly: what they lack harms no settings, and ends nobody.
import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct OddProcessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `what a process prints without a standard error goes into no file of a suite`() throws {
        let peer = try Peer()
        try peer.expectOK("closeerrors")
        try peer.expectOK("open \(folder.path) settings")
        try peer.expectOK("set important 7")
        for _ in 0..<3 { try peer.expectOK("shout") }
        try peer.expectOK("set other 8")
        peer.kill()
        #expect(try folder.suite().storedValues() == ["important": 7, "other": 8])
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/settings")
        #expect(!names.contains { $0.contains("damaged") })
    }

    @Test func `a relative path in a folder that is gone is an error, and no path of another file`() throws {
        let gone = "\(folder.path)/gone"
        try FileManager.default.createDirectory(atPath: gone, withIntermediateDirectories: false)
        let peer = try Peer()
        try peer.expectOK("workin \(gone)")
        try FileManager.default.removeItem(atPath: gone)
        let name = "typed-defaults-\(UUID().uuidString).json"
        #expect(try peer.ask("openfile \(name)") == "error ioFailure")
        #expect(!FileManager.default.fileExists(atPath: "/\(name)"))
    }

    @Test func `a report that nobody reads any more ends no process`() throws {
        try folder.write("{\"a\": 1, \"a\": 2}\n", to: "settings/settings.json")
        let peer = try Peer()
        try peer.expectOK("deaferrors")
        try peer.expectOK("openunheard \(folder.path) settings")
        #expect(try peer.ask("get a") == "2")
        #expect(try peer.close() == .status(0))
    }

    @Test func `a process that may make no file larger reads a suite without a lock file`() throws {
        try folder.write("{\"a\": 1}\n", to: "settings/settings.json")
        let peer = try Peer()
        try peer.expectOK("hardlimit 0")
        try peer.expectOK("open \(folder.path) settings")
        #expect(try peer.ask("get a") == "1")
        #expect(try peer.close() == .status(0))
    }
}
