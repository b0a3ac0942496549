/// What a watch of a path hears, wherever the path leads.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct PathWatchTests {
    private let folder: TemporaryFolder
    private let rings = Recorder<Int>()

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("1", to: "a")
        try EventLoop.shared.drain()
    }

    private func watch(_ name: String) -> PathWatch {
        PathWatch(ForeignFile("\(folder.path)/\(name)")) { [rings] in rings.append(1) }
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/\(name)", withDestinationPath: target)
    }

    private func move(_ name: String, to other: String) throws {
        guard rename("\(folder.path)/\(name)", "\(folder.path)/\(other)") == 0 else {
            throw POSIXError.current
        }
    }

    /// Expects that something is heard, and that the kernel tells of everything before and after it.
    private func expectHeard(_ watch: PathWatch, after body: () throws -> Void) throws {
        try EventLoop.shared.drain()
        let before = rings.all.count
        #expect(watch.isWhole)
        try body()
        #expect(rings.wait(for: before + 1))
        try EventLoop.shared.drain()
        #expect(watch.isWhole)
    }

    @Test func `a file's watch hears of that file and no other`() throws {
        let watch = self.watch("a")
        try folder.write("1", to: "b")
        try EventLoop.shared.drain()
        #expect(rings.all == [])
        try expectHeard(watch) { try folder.write("2", to: "a") }
    }

    @Test func `a folder's watch hears of everything in it`() throws {
        let watch = PathWatch(folder: folder.path) { [rings] in rings.append(1) }
        try expectHeard(watch) { try folder.write("1", to: "b") }
    }

    @Test func `a folder's watch hears of everything in it when the folder comes later`() throws {
        let watch = PathWatch(folder: folder.path + "/later/inside") { [rings] in rings.append(1) }
        try expectHeard(watch) { try folder.write("1", to: "later/inside/b") }
        try expectHeard(watch) { try folder.write("2", to: "later/inside/b") }
    }

    @Test func `a file is heard of whose folders are made one by one`() throws {
        let watch = self.watch("b/c/d/file")
        for name in ["b", "b/c", "b/c/d"] {
            try expectHeard(watch) {
                try FileManager.default.createDirectory(
                    atPath: "\(folder.path)/\(name)", withIntermediateDirectories: false)
            }
        }
        try expectHeard(watch) { try folder.write("1", to: "b/c/d/file") }
        try expectHeard(watch) { try folder.write("2", to: "b/c/d/file") }
    }

    @Test func `a file is heard of behind a link that is turned elsewhere`() throws {
        try folder.write("1", to: "one/deep/file")
        try folder.write("1", to: "two/deep/file")
        try link("current", to: "one/deep")
        let watch = self.watch("current/file")
        try expectHeard(watch) { try folder.write("2", to: "one/deep/file") }
        try link("current.new", to: "two/deep")
        try expectHeard(watch) { try move("current.new", to: "current") }
        try expectHeard(watch) { try folder.write("2", to: "two/deep/file") }
        let before = rings.all.count
        try folder.write("3", to: "one/deep/file")
        try EventLoop.shared.drain()
        #expect(rings.all.count == before)
    }

    @Test func `a file that is a link itself is heard of where it leads, over every link on the way`() throws
    {
        try folder.write("1", to: "store/v1/file")
        try link("store/data", to: "v1")
        try link("hop", to: "\(folder.path)/store/../store/./data/file")
        try link("file", to: "hop")
        let watch = self.watch("file")
        try expectHeard(watch) { try folder.write("2", to: "store/v1/file") }
        try folder.write("1", to: "store/v2/file")
        try expectHeard(watch) {
            try FileManager.default.removeItem(atPath: folder.path + "/store/data")
            try link("store/data", to: "v2")
        }
        try expectHeard(watch) { try folder.write("2", to: "store/v2/file") }
    }

    @Test(arguments: ["x", "x/y", "x/y/z"])
    func `a file is heard of when a folder above it is moved away and another comes`(moved: String) throws {
        try folder.write("1", to: "x/y/z/file")
        let watch = self.watch("x/y/z/file")
        try expectHeard(watch) { try move(moved, to: "gone") }
        try expectHeard(watch) { try folder.write("2", to: "x/y/z/file") }
    }

    @Test func `a ring of links is looked at, and the file that comes in its place is heard of`() throws {
        try link("ring", to: "ring")
        let watch = self.watch("ring")
        #expect(!watch.isWhole)
        try folder.write("1", to: "file")
        try move("file", to: "ring")
        #expect(rings.wait(for: 1))
        #expect(eventually { watch.isWhole })
    }

    @Test func `a folder that cannot be watched is looked at once a second, until it can`() throws {
        // The walk of the beginning is the only one that fails.
        let refused = FaultInjection(FaultInjection.Rule("inotify_add_watch", errno: ENOSPC, lasts: true))
        let watch = FaultInjection.$current.withValue(refused) { self.watch("a") }
        #expect(!watch.isWhole)
        try folder.write("22", to: "a")
        #expect(rings.wait(for: 1))
        try expectHeard(watch) { try folder.write("333", to: "a") }
    }

    @Test func `a file that stays as it was is not told of by those who look`() throws {
        let refused = FaultInjection(FaultInjection.Rule("inotify_add_watch", errno: ENOSPC, lasts: true))
        let watch = FaultInjection.$current.withValue(refused) { self.watch("a") }
        #expect(eventually { watch.isWhole })
        try EventLoop.shared.drain()
        #expect(rings.all == [])
    }

    @Test func `a watch that was let go hears nothing, and its looks end`() throws {
        let refused = FaultInjection(FaultInjection.Rule("inotify_add_watch", errno: ENOSPC, lasts: true))
        var watch: PathWatch? = FaultInjection.$current.withValue(refused) { self.watch("missing/a") }
        let released = { [weak watch] in watch }
        watch = nil
        #expect(released() == nil)
        try folder.write("1", to: "missing/a")
        try EventLoop.shared.drain()
        #expect(rings.all == [])
    }
}
