/// Observers hear of other processes' records by the bell: whoever wrote before, and whatever became of the lock file.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct DoorbellTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let writer: Peer
    private let heard = Recorder<Int?>()

    init() throws {
        folder = try TemporaryFolder()
        // Or the folder might tell of a checkpoint.
        suite = try folder.heldSuite()
        writer = try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints")
    }

    private var lockFile: String { "\(folder.path)/settings/.settings.json.lock" }

    private func observe() -> DefaultsObservation {
        suite.observe(forKey: "n", options: [.new]) { [heard] in heard.append($0.newValue?.int) }
    }

    /// A commit reads nothing after its first write but for the ring.
    private let ringFails = FaultInjection.Rule("pread", errno: EIO, from: .behind("pwrite", 1))

    /// Whether the other process's observer is told of a value sooner or later.
    private func isOtherTold(of value: Int) throws -> Bool {
        while true {
            let event = try writer.ask("events 1")
            if event == "none" || event.contains(", \(value), ") { return event != "none" }
        }
    }

    /// Writes a number into the lock file's page.
    ///
    /// - Returns: the file, which wakes all who listen when it is closed.
    @discardableResult
    private func record(_ number: UInt64, at offset: UInt64) throws -> FileHandle {
        let file = try #require(FileHandle(forUpdatingAtPath: lockFile))
        try file.seek(toOffset: offset)
        try withUnsafeBytes(of: number.littleEndian) { try file.write(contentsOf: Data($0)) }
        return file
    }

    /// Raises the generation, and gives the lock back.
    private func raise(to generation: UInt64, in files: SuiteFiles) throws {
        switch try HeldWriterLock.acquire(files, until: .after(milliseconds: 5_000)) {
        case .some(let lock): try lock.raise(to: generation)
        case .none: Issue.record("the lock file was replaced")
        }
    }

    @Test func `the bell tells of records, not the journal (F24)`() throws {
        let observation = observe()
        let monitor = try suite.context.store().monitor
        #expect(monitor.hearsDoorbell)
        #expect(monitor.withWatchedJournal { $0 == nil })
        try writer.expectOK("set n 1")
        #expect(heard.wait(for: 1))
        observation.invalidate()
        #expect(!monitor.hearsDoorbell)
    }

    @Test func `another process is heard after more own commits than a note counts for (F24)`()
        throws
    {
        let observation = observe()
        for number in 0..<(Int(Doorbell.validity) * 2) { try suite.set(DefaultsValue(number), forKey: "own") }
        try writer.expectOK("set n 1")
        #expect(heard.wait(for: 1))
        observation.invalidate()
    }

    @Test func `a generation that rises by more than a note counts for wakes those who listen (F24)`() throws
    {
        try writer.expectOK("set n 1")
        #expect(suite.value(forKey: "n") == 1)
        let observation = observe()
        let page = try #require(try suite.context.store().latest.files?.page)
        // The note stands at the generation of now, and the next one is far beyond: as after a group of thousands.
        let other = try SuiteFiles.open(try #require(suite.context.location))
        try raise(to: page.number + 10 * Doorbell.validity, in: other)
        #expect(other.isToRing)
        #expect(!other.isToRing, "once")
        observation.invalidate()
    }

    @Test func `who commits while nobody listens, or listened long ago, rings for nobody (F24)`() throws {
        let files = try SuiteFiles.open(try #require(suite.context.location))
        func rings() throws -> Bool {
            try raise(to: try files.generation() + 1, in: files)
            return files.isToRing
        }
        #expect(try !rings())
        #expect(files.markListener())
        for _ in 0..<Doorbell.validity { #expect(try rings()) }
        #expect(try !rings())
        #expect(files.markListener())
        #expect(try rings())
        // A generation that was set back keeps nobody from being woken.
        try record(1 << 40, at: 40)
        #expect(try rings())
        #expect(files.markListener())
        #expect(try #require(files.page).hasRecentListener)
    }

    @Test func `an observer hears those who write by a lock file that was made anew (F24)`() throws {
        try writer.expectOK("set n 1")
        let observation = observe()
        try FileManager.default.removeItem(atPath: lockFile)
        try writer.expectOK("set n 2")
        #expect(heard.wait { $0.last == 2 })
        try writer.expectOK("set n 3")
        #expect(heard.wait { $0.last == 3 })
        observation.invalidate()
    }

    @Test func `a ring that fails is reported, and the next one is heard (F24)`() throws {
        // There is a journal, of whose creation the folder would tell.
        try writer.expectOK("set n 0")
        try writer.expectOK("observe n")
        let failures = Recorder<DefaultsError.Code>()
        suite.onFailure = { failures.append($0.code) }
        let plan = FaultInjection(ringFails)
        try FaultInjection.$current.withValue(plan) { try suite.set(1, forKey: "n") }
        #expect(failures.all == [.ioFailure])
        try suite.set(2, forKey: "n")
        #expect(try isOtherTold(of: 2))
    }

    @Test func `an observer whose note is refused watches the journal (F24)`() throws {
        try writer.expectOK("set n 1")
        let files = try #require(try suite.context.store().latest.files)
        let plan = FaultInjection(FaultInjection.Rule("pwrite", errno: ENOSPC))
        #expect(!FaultInjection.$current.withValue(plan) { files.markListener() })
        let observation = observe()
        let monitor = try suite.context.store().monitor
        #expect(eventually { monitor.withWatchedJournal { $0 != nil } })
        try writer.expectOK("set n 2")
        #expect(heard.wait { $0.last == 2 })
        observation.invalidate()
    }
}
