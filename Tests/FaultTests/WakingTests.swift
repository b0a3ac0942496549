/// Who listens is woken when the lock is free again, and also of a commit whose process was killed before it woke anybody.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread, .strace)
struct WakingTests {
    private let folder: TemporaryFolder
    private let writer: Peer

    init() throws {
        folder = try TemporaryFolder()
        // Or the folder might tell of a checkpoint.
        writer = try Peer.opening(in: folder, leavingOut: "scheduledCheckpoints")
        // No checkpoint either, after which a young file would be read again.
        try writer.expectOK("set n 1")
    }

    @Test func `a commit whose process is killed before it wakes anybody is heard (F24)`() throws {
        let observer = try Peer.opening(in: folder)
        try observer.expectOK("observe n")
        // The first read that a set makes, and the only one.
        let strace = try Strace(writer, "pread64:signal=KILL:when=1")
        #expect(try writer.answers(to: ["set n 2"]) == [])
        #expect(try writer.close() == .signal(9))
        strace.finish()
        let heard = #"[[1, 2, "otherProcess \#(writer.processID)"]]"#
        #expect(try observer.ask("events 1") == heard)
    }

    @Test
    func `a commit that woke nobody is heard with the next one, or when its process ends (F24)`()
        throws
    {
        let observer = try Peer.opening(in: folder)
        try observer.expectOK("observe n")
        try writer.expectOK("leaveout scheduledCheckpoints wakesListeners")
        for (number, ends) in [(2, false), (3, true)] {
            try writer.expectOK("set n \(number)")
            if ends { writer.kill() } else { try folder.suite().set(number, forKey: "other") }
            // What is read together has the cause of the last.
            #expect(try observer.ask("events 1").hasPrefix("[[\(number - 1), \(number), "))
        }
    }

    @Test func `nobody is woken while the lock is held (F24)`() throws {
        let suite = try folder.suite()
        let wasFree = Recorder<Bool>()
        let observation = suite.observe(forKey: "n", options: []) { [folder] _ in
            let file = FileHandle(forUpdatingAtPath: folder.path + "/settings/.settings.json.lock")
            wasFree.append(file.map { flock($0.fileDescriptor, LOCK_EX | LOCK_NB) == 0 } ?? false)
            // A process that another test starts at this time has the file too, so that to close it is not enough.
            file.map { _ = flock($0.fileDescriptor, LOCK_UN) }
            file?.closeFile()
        }
        // It is released half a second after the record was appended.
        let strace = try Strace(writer, "flock:delay_enter=500000:when=2")
        #expect(try writer.ask("set n 2") == "ok")
        strace.finish()
        #expect(wasFree.wait(for: 1))
        #expect(wasFree.all == [true])
        observation.invalidate()
    }
}
