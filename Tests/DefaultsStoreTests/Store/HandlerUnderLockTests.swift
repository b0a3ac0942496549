@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

/// A person's failure handler runs when no lock is held, so it may use the suite.
@Suite(.timeLimit(.minutes(60)), .ownThread) struct HandlerUnderLockTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let refusals = Recorder<DefaultsError.Code?>()

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.suite()
    }

    /// Has the handler write, and notes what it was thrown.
    private func writeFromTheHandler() {
        suite.onFailure = { [suite, refusals] _ in
            refusals.append(refusal { try suite.set(1, forKey: "fromTheHandler") }?.code)
        }
    }

    @Test func `damage that the first write meets is told when the write has given its lock back`() throws {
        try folder.write("{\"a\": 1,\n  \"b\": tru", to: "settings/settings.json")
        writeFromTheHandler()
        try suite.set(2, forKey: "c")
        #expect(refusals.wait(for: 1))
        #expect(refusals.all == [nil])
        #expect(["a", "c", "fromTheHandler"].map { suite.value(forKey: $0) } == [1, 2, 1])
    }

    @Test func `what a save under a transaction has wrong is told when the transaction is over`() throws {
        try suite.set(1, forKey: "n")
        try suite.checkpoint()
        writeFromTheHandler()
        try suite.withTransaction { tx in
            tx[key: "n"] = 2
            try folder.write("{\"twice\": 1, \"twice\": 2}", to: "settings/settings.json")
        }
        #expect(refusals.wait(for: 1))
        #expect(refusals.all == [nil])
        #expect(try suite.storedValues() == ["twice": 2, "n": 2, "fromTheHandler": 1])
    }

    @Test func `an observer that waits for the file to follow the write is not waited for`() throws {
        let followed = Recorder<String>()
        let observation = suite.observe(forKey: "n", options: [.new]) { [folder] _ in
            do { followed.append(try folder.read("settings/settings.json")) } catch {
                followed.append("\(error)")
            }
        }
        try suite.set(1, forKey: "n")
        #expect(followed.wait(for: 1))
        #expect(followed.all == ["{\n  \"n\": 1\n}\n"])
        observation.invalidate()
    }

    @Test func `without a thread to be had a change from outside is told when no lock is held`() throws {
        try suite.set(1, forKey: "n")
        try suite.checkpoint()
        let store = try suite.context.store()
        let isInside = Recorder<Bool>()
        let unwatched = FaultInjection(FaultInjection.Rule("inotify_add_watch", errno: ENOSPC, lasts: true))
        let observation = FaultInjection.$current.withValue(unwatched) {
            suite.observe(forKey: "n", options: [.new]) { _ in
                isInside.append(store.writer.isCallerInside)
            }
        }
        #expect(unwatched.calls.contains("inotify_add_watch"))
        try folder.saveByRename("{\"n\": 2}")
        let threadless = FaultInjection(FaultInjection.Rule("pthread_create", errno: EAGAIN, lasts: true))
        try FaultInjection.$current.withValue(threadless) {
            try suite.withTransaction { tx in tx[key: "m"] = 1 }
        }
        #expect(isInside.wait(for: 1))
        #expect(isInside.all == [false])
        observation.invalidate()
    }

    @Test func `what a failure handler held may set another one when it goes`() {
        final class Last: Sendable {
            let goes: @Sendable () -> Void
            init(_ goes: @escaping @Sendable () -> Void) { self.goes = goes }
            deinit { goes() }
        }
        let gone = Recorder<Void>()
        let last = Last { [suite] in
            suite.onFailure = nil
            gone.append(())
        }
        suite.onFailure = { [last] _ in withExtendedLifetime(last) {} }
        _ = consume last
        suite.onFailure = nil
        #expect(gone.wait(for: 1))
    }
}
