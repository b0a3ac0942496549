/// A settings file written so short a time ago that its times may not tell the next change: its bytes do.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct RecentFileTests {
    private let folder: TemporaryFolder
    private let files: SuiteFiles
    private let recent: StoreSnapshot
    /// More than is compared at a time.
    private let text = Array("{\"a\": 1, \"b\": \"\(String(repeating: "1", count: 40_000))\"}".utf8)

    /// A file that was read just after it was saved.
    init() throws {
        folder = try TemporaryFolder()
        let suite = try folder.suite()
        try suite.set(0, forKey: "a")
        try suite.checkpoint()
        try Data(text).write(to: URL(filePath: folder.settingsPath()))
        let loaded = try suite.context.store().loader.reload()
        files = try #require(loaded.files)
        recent = StoreSnapshot(
            values: loaded.values, generation: loaded.generation, epoch: loaded.epoch,
            identity: loaded.identity, files: loaded.files, journal: loaded.journal, begun: loaded.begun,
            isRecent: true)
    }

    private func load(_ plan: FaultInjection = FaultInjection()) throws -> StoreSnapshot {
        try FaultInjection.$current.withValue(plan) {
            try Loader.load(after: recent, files: files) { recent.epoch }
        }
    }

    @Test(arguments: [13_569_465_600, 9_300_000_000, -9_300_000_000])
    func `a file with a time of another age is read, written and told from the next one`(second: Int) throws {
        let path = folder.settingsPath()
        let suite = try folder.suite()
        func date() {
            let time = timespec(tv_sec: second, tv_nsec: 0)
            // What the file system has no room for, it moves to the nearest time that it has.
            #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
        }
        date()
        #expect(suite.value(forKey: "a") == 1)
        #expect(!suite.inspectFiles().contains { $0.severity == .error })
        try suite.set(2, forKey: "a")
        try suite.checkpoint()
        try Data(text).write(to: URL(filePath: path))
        date()
        #expect(suite.value(forKey: "a") == 1)
    }

    /// A time, how much later the file was read, how long that took, and whether the clock is that of its times.
    @Test(arguments: [
        (100_000_000_001, 19_000_000, 0, false, true), (100_000_000_001, 21_000_000, 0, false, false),
        (100_000_000_000, 2_000_000_000, 0, false, true), (100_000_000_000, 2_200_000_000, 0, false, false),
        (100_000_000_000, 2_000_000_000, 0, true, true), (100_000_000_000, 2_200_000_000, 0, true, false),
        (100_000_000_001, 0, 0, true, true), (100_000_000_001, 1, 0, true, false),
        // It was written while it was read.
        (100_000_000_001, -1_000_000, 1_000_000, true, true),
        (100_000_000_001, -90_000_000, 100_000_000, true, true),
        (100_000_000_001, -90_000_000, 100_000_000, false, true),
        // It has a time that is yet to come.
        (100_000_000_000, -1_000_000_000, 0, false, true), (100_000_000_001, -1_000_000_000, 0, false, false),
        (100_000_000_001, -1_000_000_000, 0, true, false),
    ])
    func `the next change may leave a file its times for as long as its file system counts them`(
        time: Int64, age: Int64, pause: Int64, isExact: Bool, isRecent: Bool
    ) {
        let identity = FileStatus.Identity(device: 1, inode: 1, size: 1, modified: time)
        let moment = time + age
        #expect(identity.isRecent(from: moment, to: moment + pause, isExact: isExact) == isRecent)
    }

    /// A kernel whose clock of files stands still for milliseconds gives two changes one time.
    @Test func `a save into what a checkpoint has just put there is seen though its time is the same`() throws
    {
        let suite = try folder.suite()
        let enough = Soak.part(of: 20)
        var inTime = 0
        for round in 0..<250 * enough where inTime < enough {
            try suite.set(1, forKey: "a")
            try suite.checkpoint()
            let text = try Data(contentsOf: URL(filePath: folder.settingsPath()))
            let place = try #require(text.firstRange(of: Data("\"a\": 1".utf8))).upperBound - 1
            var other = [UInt8](text)
            other[place] = UInt8(ascii: "2")
            try write(other)
            // Later, a save by a program that leaves the times alone would have given it another.
            let status = try SystemCalls.status(path: folder.settingsPath())
            let isInTime = SystemCalls.wallNanoseconds <= status.identity.modified
            if isInTime {
                inTime += 1
                let state = try suite.context.store().loader.reload()
                #expect(state.values.value(forKey: KeyName("a"))?.value == 2, "\(round)")
            }
            try suite.set(0, forKey: "a")
            try suite.checkpoint()
        }
        #expect(inTime == enough)
    }

    /// Writes into the file without a change of its times.
    private func write(_ bytes: [UInt8]) throws {
        let path = folder.settingsPath()
        var status = stat()
        #expect(lstat(path, &status) == 0)
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.write(contentsOf: Data(bytes))
        try file.close()
        let times = [status.st_atim, status.st_mtim]
        #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
    }

    @Test func `as long as its bytes are the same, the state rests on the text that was read`() throws {
        let plan = FaultInjection()
        let next = try load(plan)
        #expect(next.values.value(forKey: KeyName("a"))?.value == 1)
        #expect(next.identity == recent.identity)
        let storage = { (state: StoreSnapshot) in
            state.values.document.bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        }
        #expect(storage(next) == storage(recent))
        #expect(plan.calls.filter { $0 == "openat" }.count == 1)
    }

    @Test(arguments: [6, 20, 32_767, 32_768, 40_014])
    func `one byte that is another is seen though no time tells of it`(place: Int) throws {
        var other = text
        try #require(other[place] == UInt8(ascii: "1"))
        other[place] = UInt8(ascii: "2")
        try write(other)
        #expect(try load().values.document.bytes == other)
    }

    @Test(arguments: 1...2)
    func `a refusal is told, and not taken for a file that has not changed`(occurrence: Int) throws {
        for call in ["openat", "fstat", "pread"] where call != "openat" || occurrence == 1 {
            let error = #expect(throws: DefaultsError.self) {
                _ = try load(FaultInjection(FaultInjection.Rule(call, at: occurrence, errno: EIO)))
            }
            #expect(error?.code == .ioFailure)
            #expect(error?.systemError == SystemError(call: call, errno: EIO))
        }
    }
}
