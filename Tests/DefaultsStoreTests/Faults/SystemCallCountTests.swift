/// How many system calls reads and writes make.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct SystemCallCountTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        suite = try folder.heldSuite()
        try suite.context.startWatching()
    }

    private func faults(_ body: () throws -> Void) rethrows -> FaultInjection {
        let plan = FaultInjection()
        try FaultInjection.$current.withValue(plan, operation: body)
        return plan
    }

    @Test func `reading what has not changed makes no system call`() throws {
        try suite.set(1, forKey: "a")
        try suite.checkpoint()
        try suite.awaitOld()
        try EventLoop.shared.drain()
        _ = suite.value(forKey: "a")
        let plan = faults { for _ in 0..<1_000 { _ = suite.value(forKey: "a") } }
        #expect(plan.calls == [])
    }

    @Test func `setting a value that is stored already writes nothing`() throws {
        try suite.set(1, forKey: "a")
        let made = try faults { try suite.set(1, forKey: "a") }.calls
        #expect(Set(made).isDisjoint(with: ["pwrite", "renameat", "fsync", "unlinkat", "fchmod"]))
    }

    @Test func `a write makes as many system calls among 1,000 keys as among 10`() throws {
        #expect(try callsOfOneWrite(among: 10) == callsOfOneWrite(among: 1_000))
    }

    private func callsOfOneWrite(among count: Int) throws -> [String] {
        try suite.withTransaction { tx in
            for number in 0..<count { tx[key: "key \(number)"] = DefaultsValue(number) }
        }
        try suite.checkpoint()
        try suite.awaitOld()
        try EventLoop.shared.drain()
        _ = suite.value(forKey: "a")
        return try faults { try suite.set(DefaultsValue(count), forKey: "a") }.stepsUnderLock
    }

    /// The calls of one set, with what comes behind the lock.
    private func callsOfOneSet(_ number: Int) throws -> [String] {
        try EventLoop.shared.drain()
        _ = suite.value(forKey: "a")
        return try faults { try suite.set(DefaultsValue(number), forKey: "a") }.calls
    }

    @Test func `a write that somebody listens to makes one more system call, when the lock is free (F24)`()
        throws
    {
        try suite.set(0, forKey: "a")
        try suite.checkpoint()
        try suite.awaitOld()
        #expect(try callsOfOneSet(1).last == "flock")
        let listener = try Peer.opening(in: folder)
        try listener.expectOK("observe a")
        let calls = try callsOfOneSet(2)
        #expect(calls.suffix(2) == ["flock", "pread"])
        #expect(calls.count { $0 == "pread" } == 1)
        #expect(try listener.ask("events 1").contains("[[1, 2"))

        // What it leaves behind has an end.
        listener.kill()
        #expect(try listener.close() == .signal(9))
        for number in 0..<Int(Doorbell.validity) { try suite.set(DefaultsValue(number), forKey: "b") }
        #expect(try callsOfOneSet(3).last == "flock")
    }

    @Test func `a transaction of many keys makes as many system calls as one of one`() throws {
        try suite.set(0, forKey: "a")
        try suite.checkpoint()
        try suite.awaitOld()
        try EventLoop.shared.drain()
        _ = suite.value(forKey: "a")
        let one = try faults { try suite.withTransaction { tx in tx[key: "a"] = 1 } }.stepsUnderLock
        try EventLoop.shared.drain()
        _ = suite.value(forKey: "a")
        let many = try faults {
            try suite.withTransaction { tx in for number in 0..<100 { tx[key: "key \(number)"] = 1 } }
        }
        #expect(one == many.stepsUnderLock)
    }
}
