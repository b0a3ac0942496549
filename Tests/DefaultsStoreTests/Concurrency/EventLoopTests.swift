/// Appointments and notices: what they require is done in places of its own, by threads that are there already.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct EventLoopTests {
    private let resource = WorkerPool.Resource.path("a test's")

    @Test func `a short time that is asked for late ends before a long one`() throws {
        let loop = EventLoop(pool: WorkerPool())
        let kept = Recorder<UInt64>()
        for time in [600_000, 300_000, 20, 900_000] as [UInt64] {
            try loop.schedule(afterMilliseconds: time, on: resource) { kept.append(time) }
        }
        #expect(kept.wait(for: 1))
        #expect(kept.all == [20])
    }

    @Test func `an appointment is kept once and not before its time`() throws {
        let (kept, early) = (Recorder<UInt64>(), Recorder<UInt64>())
        for time in [30, 60] as [UInt64] {
            let due = Deadline.after(milliseconds: time)
            try EventLoop.shared.schedule(afterMilliseconds: time, on: resource) {
                if !due.hasPassed { early.append(time) }
                kept.append(time)
            }
        }
        #expect(kept.wait(for: 2))
        try EventLoop.shared.drain()
        #expect(Set(kept.all) == [30, 60] && kept.all.count == 2)
        #expect(early.all == [])
    }

    @Test func `an appointment may make another`() throws {
        let kept = Recorder<Int>()
        try EventLoop.shared.schedule(afterMilliseconds: 0, on: resource) {
            kept.append(1)
            do {
                try EventLoop.shared.schedule(afterMilliseconds: 0, on: .userCode) { kept.append(2) }
            } catch {
                Issue.record(error)
            }
        }
        #expect(kept.wait(for: 2))
        #expect(kept.all == [1, 2])
    }

    @Test func `work that does not end keeps no appointment waiting`() throws {
        let (entered, gate) = (Recorder<Void>(), TestSupport.Gate())
        let kept = Recorder<Int>()
        for number in 1...2 {
            try EventLoop.shared.schedule(afterMilliseconds: 0, on: resource) {
                entered.append(())
                #expect(gate.wait())
                kept.append(number)
            }
        }
        #expect(entered.wait(for: 2))
        let later = Recorder<Void>()
        try EventLoop.shared.schedule(afterMilliseconds: 0, on: resource) { later.append(()) }
        #expect(later.wait(for: 1))
        #expect(kept.all == [])
        gate.open()
        #expect(kept.wait(for: 2))
    }

    @Test func `of more notices than are read at a time none is lost`() throws {
        let folder = try TemporaryFolder()
        let notices = try FileEvents()
        let descriptor = try SystemCalls.openDirectory(folder.path)
        let watch = try notices.watch(descriptor, for: .names)
        let names = (0..<300).map { "file \($0) " + String(repeating: "x", count: $0 % 200) }
        for name in names { try folder.write("", to: name) }
        // One call has all that came before it.
        let heard = notices.wait(milliseconds: 0)
        #expect(heard.allSatisfy { $0.watch == watch })
        #expect(Set(heard.map(\.name)).isSuperset(of: names))
    }

    @Test func `a file without a name tells those who watch its folder of nothing when it is closed`() throws
    {
        let folder = try TemporaryFolder()
        let notices = try FileEvents()
        let descriptor = try SystemCalls.openDirectory(folder.path)
        _ = try notices.watch(descriptor, for: .names)
        func fill(_ file: consuming Descriptor) throws { try SystemCalls.write([1], to: file, at: 0) }
        try fill(SystemCalls.openUnnamed(in: descriptor))
        #expect(notices.wait(milliseconds: 0).isEmpty)
        try fill(SystemCalls.open("file", in: descriptor, .createOrOpen))
        #expect(notices.wait(milliseconds: 0).last?.isWriteInPlace == true)
    }

    @Test func `of two watches of one folder that begin and end at once, the one that stays is told`() throws
    {
        let loop = EventLoop.shared
        for round in 0..<200 {
            let folder = try TemporaryFolder()
            let told = Recorder<Void>()
            let stays = Recorder<EventLoop.Watch>()
            // One begins while the other ends, and the kernel has one watch for both.
            try withThreads(2) { [resource] thread in
                let descriptor = try SystemCalls.openDirectory(folder.path)
                let watch = try loop.watch(descriptor, on: resource, CoalescedWork { told.append(()) })
                if thread == 0 { stays.append(watch) }
            }
            try folder.write("", to: "file \(round)")
            #expect(told.wait(for: 1))
            stays.removeAll()
        }
    }

    @Test func `what a watch's handler holds may use the loop when it goes`() throws {
        final class Last: Sendable {
            let loop: EventLoop
            let kept: Recorder<Void>
            init(_ loop: EventLoop, _ kept: Recorder<Void>) { (self.loop, self.kept) = (loop, kept) }
            deinit {
                do {
                    try loop.schedule(afterMilliseconds: 0, on: .userCode) { [kept] in kept.append(()) }
                } catch {
                    Issue.record(error)
                }
            }
        }
        let folder = try TemporaryFolder()
        let kept = Recorder<Void>()
        // On a thread that is waited for with a limit: under a lock it would wait for ever.
        Thread.detachNewThread {
            do {
                let last = Last(EventLoop.shared, kept)
                let descriptor = try SystemCalls.openDirectory(folder.path)
                let work = CoalescedWork { [last] in withExtendedLifetime(last) {} }
                _ = try EventLoop.shared.watch(descriptor, on: .userCode, work)
            } catch { Issue.record(error) }
        }
        #expect(kept.wait(for: 1))
    }

    @Test func `a descriptor closes with its owner`() throws {
        let folder = try TemporaryFolder()
        try withDescriptor(folder)
        #expect(try folder.openDescriptors() == 0)
    }

    private func withDescriptor(_ folder: TemporaryFolder) throws {
        let descriptor = try SystemCalls.openDirectory(folder.path)
        #expect(try folder.openDescriptors() == 1)
        _ = try SystemCalls.status(of: descriptor)
    }
}
