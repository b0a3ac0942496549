/// The lock file's bytes, and files of a newer format.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

/// The lock file's fields, read by the table in `LockFile`.
struct LockPage: Equatable {
    let count: Int
    let generation: UInt64
    let mark: [UInt8]
    let process: Int32
    let isZeroBehind: Bool

    init(_ bytes: [UInt8]) {
        count = bytes.count
        generation = bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        mark = Array(bytes.dropFirst(8).prefix(8))
        process = Int32(
            bitPattern: bytes.dropFirst(16).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) })
        // But for how far the journal is done.
        let rest = bytes.indices.filter { $0 >= 20 && !(136..<168).contains($0) }
        isZeroBehind = rest.allSatisfy { bytes[$0] == 0 }
    }
}

@Suite(.ownThread) struct LockFileTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private static let name = "settings/.settings.json.lock"

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.heldSuite()
        try suite.context.startWatching()
        try suite.set(1, forKey: "a")
        try suite.checkpoint()
    }

    /// Overwrites some bytes in place.
    private func patch(_ bytes: [UInt8], at offset: UInt64) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: "\(folder.path)/\(Self.name)"))
        try file.seek(toOffset: offset)
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    @Test func `a state that the lock file is behind, as after power loss, is kept under no version`() throws
    {
        let store = try suite.context.store()
        let before = try store.state()
        #expect(store.stamp(of: before).version == before.generation &+ before.epoch)
        try patch([UInt8(before.generation) - 1], at: 0)
        let after = try store.state()
        #expect(after.generation == before.generation)
        #expect(store.stamp(of: after).version == nil)
    }

    @Test func `no version of before comes again where somebody sets the generation back`() throws {
        for value in 2...9 { try suite.set(DefaultsValue(value), forKey: "a") }
        let store = try suite.context.store()
        var last = try store.state()
        let latest = try #require(store.stamp(of: last).version)
        for steps in 1...6 {
            try patch([UInt8(last.generation) - UInt8(steps)], at: 0)
            // As many notices as commits were taken back: the sum of both would be what it was.
            for _ in 0..<steps { store.monitor.noticed(.written) }
            // Another thread sees to them.
            #expect(eventually { store.versionCell.pointee.version > latest })
            last = try store.state()
            #expect(store.versionCell.pointee.version > latest)
        }
    }

    @Test func `a state of an epoch that has passed is kept under no version`() throws {
        let store = try suite.context.store()
        let before = try store.state()
        #expect(store.stamp(of: before).version != nil)
        store.raiseEpoch()
        #expect(store.stamp(of: before).version == nil)
    }

    @Test func `a cell begins later than it has ended`() {
        let cell = FreshnessCell()
        let before = cell.epoch
        cell.begin(isUnmapped: false, isBypassed: false)
        #expect(cell.epoch > before)
    }

    @Test func `the lock file is one page of generation, mark, version and process`() throws {
        let page = LockPage(try folder.bytes(of: Self.name))
        #expect(page.count == 4096)
        #expect(page.mark == Array("TDLOCK".utf8) + [2, 0])
        #expect(page.process == getpid())
        #expect(page.isZeroBehind)
    }

    @Test func `each commit raises the generation, a write without effect does not`() throws {
        let first = LockPage(try folder.bytes(of: Self.name)).generation
        try suite.set(2, forKey: "a")
        try suite.set(2, forKey: "a")
        try suite.set(3, forKey: "a")
        #expect(LockPage(try folder.bytes(of: Self.name)).generation == first + 2)
    }

    @Test func `a generation of nothing but ones is refused by writes, read past, and mended by hand`() throws
    {
        try patch([UInt8](repeating: 0xFF, count: 8), at: 0)
        suite.onFailure = { _ in }
        for _ in 0..<4 { #expect(suite.value(forKey: "a") == 1) }
        let error = refusal { try suite.set(2, forKey: "a") }
        #expect(error?.code == .ioFailure)
        #expect(error?.path == "\(folder.path)/\(Self.name)")
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(Self.name)")
        try suite.set(2, forKey: "a")
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["a": 2])
    }

    @Test func `a newer format can be read and not written`() throws {
        try patch([3, 0], at: 14)
        let error = refusal { try suite.set(2, forKey: "a") }
        #expect(error?.code == .unsupportedFormat)
        #expect(error?.path == "\(folder.path)/\(Self.name)")
        #expect(try suite.storedValues() == ["a": 1])
        #expect(try folder.foreignReading() == ["a": 1])
    }

    @Test func `a program that only writes goes on once a lock file of a newer format is gone`() throws {
        try patch([3, 0], at: 14)
        #expect(refusal { try suite.set(2, forKey: "a") }?.code == .unsupportedFormat)
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(Self.name)")
        try suite.set(3, forKey: "a")
        try suite.checkpoint()
        #expect(try folder.foreignReading() == ["a": 3])
    }

    @Test func `a writer leaves no note in the lock file of a newer format, though another holds the lock`()
        throws
    {
        try patch([3, 0] + [UInt8](repeating: 0xEE, count: 40), at: 14)
        let before = try folder.bytes(of: Self.name)
        let other = open("\(folder.path)/\(Self.name)", O_RDWR | O_CLOEXEC)
        defer { close(other) }
        #expect(flock(other, LOCK_EX) == 0)
        #expect(refusal { try suite.set(2, forKey: "a") }?.code == .unsupportedFormat)
        #expect(try folder.bytes(of: Self.name) == before)
    }

    @Test func `a mark that is no version at all is mended by the next write`() throws {
        try patch([UInt8](repeating: 0xEE, count: 8), at: 8)
        try suite.set(2, forKey: "a")
        #expect(LockPage(try folder.bytes(of: Self.name)).mark == Array("TDLOCK".utf8) + [2, 0])
    }

    @Test(arguments: [0, 1, 20, 4095])
    func `a short lock file is filled up and the values stay (F7)`(length: Int) throws {
        let other = try TemporaryFolder()
        try other.write("{\"a\": 1}", to: "settings/settings.json")
        try other.write([UInt8](repeating: 0, count: length), to: Self.name)
        let suite = try other.suite()
        try suite.set(2, forKey: "b")
        #expect(try suite.storedValues() == ["a": 1, "b": 2])
        #expect(try other.bytes(of: Self.name).count == 4096)
    }

    @Test func `what a writer left that died after raising the generation is completed by readers`() throws {
        let raised = LockPage(try folder.bytes(of: Self.name)).generation + 5
        try patch((0..<8).map { UInt8(truncatingIfNeeded: raised >> (8 * $0)) }, at: 0)
        try EventLoop.shared.drain()
        for _ in 0..<4 { #expect(suite.value(forKey: "a") == 1) }
        #expect(LockPage(try folder.bytes(of: Self.name)).generation > raised)
        try EventLoop.shared.drain()
        _ = suite.value(forKey: "a")
        let plan = FaultInjection()
        FaultInjection.$current.withValue(plan) { for _ in 0..<100 { _ = suite.value(forKey: "a") } }
        #expect(plan.calls == [])
    }

    @Test func `a generation that power loss took back is made good by readers`() throws {
        let lost = LockPage(try folder.bytes(of: Self.name)).generation
        try patch((0..<8).map { UInt8(truncatingIfNeeded: (lost - 1) >> (8 * $0)) }, at: 0)
        try EventLoop.shared.drain()
        for _ in 0..<4 { #expect(suite.value(forKey: "a") == 1) }
        #expect(LockPage(try folder.bytes(of: Self.name)).generation > lost)
        try EventLoop.shared.drain()
        _ = suite.value(forKey: "a")
        let plan = FaultInjection()
        FaultInjection.$current.withValue(plan) { for _ in 0..<100 { _ = suite.value(forKey: "a") } }
        #expect(plan.calls == [])
    }

    @Test func `a write after a dead writer goes beyond its generation`() throws {
        let raised = LockPage(try folder.bytes(of: Self.name)).generation + 5
        try patch((0..<8).map { UInt8(truncatingIfNeeded: raised >> (8 * $0)) }, at: 0)
        try suite.set(2, forKey: "a")
        #expect(LockPage(try folder.bytes(of: Self.name)).generation == raised + 1)
        #expect(try suite.storedValues() == ["a": 2])
    }

    @Test func `a lock held by somebody else makes a write throw at its deadline (F9)`() throws {
        let file = try #require(FileHandle(forUpdatingAtPath: "\(folder.path)/\(Self.name)"))
        #expect(flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
        let error = refusal { try suite.set(2, forKey: "a") }
        #expect(error?.code == .lockTimeout)
        #expect(suite.value(forKey: "a") == 1)
        // A process that another test starts at this time has the file too, so that to close it is not enough.
        #expect(flock(file.fileDescriptor, LOCK_UN) == 0)
        try suite.set(2, forKey: "a")
        #expect(suite.value(forKey: "a") == 2)
    }
}
