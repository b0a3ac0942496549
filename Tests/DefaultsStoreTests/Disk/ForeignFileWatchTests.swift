/// What a watch of a foreign file or folder hears.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .ownThread)
struct ForeignFileWatchTests {
    private let folder: TemporaryFolder
    private let rings = Recorder<Int>()

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("1", to: "a")
        try Housekeeper.shared.drain()
    }

    @Test func `a file's watch hears of that file and no other`() throws {
        let watch = ForeignFileWatch(ForeignFile(folder.path + "/a")) { [rings] in rings.append(1) }
        try folder.write("1", to: "b")
        try Housekeeper.shared.drain()
        #expect(rings.all == [])
        try folder.write("2", to: "a")
        #expect(rings.wait(for: 1))
        withExtendedLifetime(watch) {}
    }

    @Test func `a folder's watch hears of everything in it`() throws {
        let watch = ForeignFileWatch(folder: folder.path) { [rings] in rings.append(1) }
        try folder.write("1", to: "b")
        #expect(rings.wait(for: 1))
        withExtendedLifetime(watch) {}
    }

    @Test func `a watch that was let go hears nothing, and its looks end`() throws {
        var watch: ForeignFileWatch? = ForeignFileWatch(ForeignFile(folder.path + "/missing/a")) { [rings] in
            rings.append(1)
        }
        weak let released = watch
        watch = nil
        #expect(released == nil)
        try folder.write("1", to: "missing/a")
        try Housekeeper.shared.drain()
        #expect(rings.all == [])
    }
}
