/// Changes from outside: handlers are called in the background, and a slow one delays no other.
@testable import DefaultsStore
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct WorkerPoolTests {
    @Test func `an observer that does not return delays no other of the same change`() throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        try suite.set(1, forKey: "a")
        let heard = Recorder<Int>()
        let isBlocked = Atomic<Bool>(false)
        let gate = TestSupport.Gate()
        // Whichever of them is called first stays until the others have been called.
        let observations = (0..<4).map { number in
            suite.observe(forKey: "a", options: []) { _ in
                if !isBlocked.exchange(true, ordering: .relaxed) { #expect(gate.wait()) }
                heard.append(number)
            }
        }
        try folder.saveByRename("{\"a\": 2}")
        #expect(heard.wait(for: 3, within: .seconds(10)))
        gate.open()
        #expect(heard.wait(for: 4))
        #expect(Set(heard.all) == [0, 1, 2, 3])
        observations.forEach { $0.invalidate() }
    }

    @Test func `an observer that does not return delays no later change of another`() throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        let heard = Recorder<DefaultsValue?>()
        let (entered, gate) = (TestSupport.Gate(), TestSupport.Gate())
        let slow = suite.observe(forKey: "slow", options: []) { _ in
            entered.open()
            #expect(gate.wait())
        }
        let quick = suite.observe(forKey: "quick", options: [.new]) { heard.append($0.newValue) }
        try folder.saveByRename("{\"slow\": 1}")
        #expect(entered.wait())
        try folder.saveByRename("{\"slow\": 1, \"quick\": 1}")
        try #require(heard.wait(for: 1, within: .seconds(10)))
        gate.open()
        #expect(heard.all == [1])
        slow.invalidate()
        quick.invalidate()
    }

    @Test func `a change from outside is not delivered on the thread that reads`() throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        try suite.set(1, forKey: "a")
        let threads = Recorder<UInt>()
        let observation = suite.observe(forKey: "a", options: []) { _ in threads.append(SystemCalls.threadID)
        }
        try folder.saveByRename("{\"a\": 2}")
        try suite.context.store().raiseEpoch()
        #expect(suite.value(forKey: "a") == 2)
        #expect(threads.wait(for: 1))
        #expect(threads.all.first != SystemCalls.threadID)
        observation.invalidate()
    }

    @Test func `work that is handed over is done by another thread, an idle one or a new one`() throws {
        let pool = WorkerPool()
        let threads = Recorder<UInt>()
        for count in 1...3 {
            #expect(pool.handOver { threads.append(SystemCalls.threadID) })
            #expect(threads.wait(for: count))
        }
        #expect(!threads.all.contains(SystemCalls.threadID))
    }

    /// Takes all slots of a resource until a gate is opened.
    private func fill(_ place: WorkerPool.Resource, of pool: WorkerPool, until gate: TestSupport.Gate) {
        let entered = Recorder<Void>()
        for _ in 0..<WorkerPool.slots {
            pool.run(on: place) {
                entered.append(())
                #expect(gate.wait())
            }
        }
        #expect(entered.wait(for: WorkerPool.slots))
    }

    @Test(arguments: [WorkerPool.Resource.userCode, .fileSystem(1), .path("a")])
    func `a resource whose slots are all taken keeps no other waiting`(_ full: WorkerPool.Resource) throws {
        let (pool, gate) = (WorkerPool(), TestSupport.Gate())
        fill(full, of: pool, until: gate)
        let (done, waits) = (Recorder<WorkerPool.Resource>(), Recorder<Void>())
        pool.run(on: full) { waits.append(()) }
        let others: [WorkerPool.Resource] = [
            .userCode, .fileSystem(1), .fileSystem(2), .path("a"), .path("b"),
        ]
        for other in others where other != full { pool.run(on: other) { done.append(other) } }
        #expect(done.wait(for: others.count - 1))
        #expect(Set(done.all) == Set(others).subtracting([full]))
        #expect(waits.all.isEmpty)
        gate.open()
        #expect(waits.wait(for: 1))
    }

    /// Keeps as many threads at work as work has at once, until a gate is opened.
    private func occupyPromptThreads(of pool: WorkerPool, until gate: TestSupport.Gate) {
        let entered = Recorder<Void>()
        for number in 0..<UInt64(WorkerPool.prompt) {
            pool.run(on: .fileSystem(number)) {
                entered.append(())
                #expect(gate.wait())
            }
        }
        #expect(entered.wait(for: WorkerPool.prompt))
    }

    @Test func `of several idle threads the last to be at work does what comes, and the others end`() {
        let (pool, gate) = (WorkerPool(), TestSupport.Gate())
        occupyPromptThreads(of: pool, until: gate)
        gate.open()
        #expect(eventually { pool.idleThreads == WorkerPool.prompt })
        let threads = Recorder<UInt>()
        // Before the others end.
        let end = ContinuousClock.now + .seconds(1)
        for count in 1...20 where ContinuousClock.now < end {
            pool.run { threads.append(SystemCalls.threadID) }
            #expect(threads.wait(for: count))
            #expect(eventually { pool.idleThreads == WorkerPool.prompt || ContinuousClock.now > end })
        }
        #expect(Set(threads.all).count == 1)
        // Nothing arrives any more.
        #expect(eventually { pool.idleThreads == 1 })
    }

    @Test func `a crowd of short work is done by a few threads`() {
        let pool = WorkerPool()
        let threads = Recorder<UInt>()
        let begin = SystemCalls.monotonicNanoseconds
        for number in 0..<1_000 {
            pool.run(on: .fileSystem(UInt64(number % 100))) { threads.append(SystemCalls.threadID) }
        }
        #expect(threads.wait(for: 1_000))
        // On a busy machine a thread may be kept from its work for as long as one that is blocked; and one that is between
        // two pieces is not idle, so that another may be started.
        let late = (SystemCalls.monotonicNanoseconds - begin) / WorkerPool.queueDelayInNanoseconds
        #expect(Set(threads.all).count <= 4 * WorkerPool.prompt + Int(late))
    }

    @Test func `work that would wait for threads that are blocked has one of its own`() {
        let (pool, gate) = (WorkerPool(), TestSupport.Gate())
        occupyPromptThreads(of: pool, until: gate)
        // None of them ends, and each of the others waits for the one before it.
        for number in 0..<50 {
            let done = Recorder<Void>()
            pool.run(on: .path("\(number)")) { done.append(()) }
            #expect(done.wait(for: 1))
        }
        gate.open()
    }

    @Test func `however much work is late, its threads come one after another`() {
        let (pool, gate) = (WorkerPool(), TestSupport.Gate())
        occupyPromptThreads(of: pool, until: gate)
        let begin = SystemCalls.monotonicNanoseconds
        let times = Recorder<UInt64>()
        for number in 0..<10 {
            pool.run(on: .path("\(number)")) {
                times.append(SystemCalls.monotonicNanoseconds - begin)
                #expect(gate.wait())
            }
        }
        #expect(times.wait(for: 10))
        gate.open()
        for (place, time) in times.all.sorted().enumerated() {
            #expect(time >= UInt64(place + 1) * WorkerPool.queueDelayInNanoseconds)
        }
    }

    @Test func `what waits for a slot is done in the order in which it came, and the resource ends with it`()
    {
        let (pool, gate) = (WorkerPool(), TestSupport.Gate())
        // All but one stay, so that what waits has one slot.
        let first = TestSupport.Gate()
        let entered = Recorder<Void>()
        for number in 0..<WorkerPool.slots {
            pool.run(on: .fileSystem(1)) {
                entered.append(())
                #expect((number == 0 ? first : gate).wait())
            }
        }
        #expect(entered.wait(for: WorkerPool.slots))
        let done = Recorder<Int>()
        for number in 0..<50 { pool.run(on: .fileSystem(1)) { done.append(number) } }
        #expect(done.all == [])
        first.open()
        #expect(done.wait(for: 50))
        #expect(done.all == Array(0..<50))
        #expect(!pool.isQuiet)
        gate.open()
        #expect(eventually { pool.isQuiet })
    }

    @Test func `user code that work leaves is run after it in a slot of its own, by the same thread`() {
        let pool = WorkerPool()
        let said = Recorder<String>()
        let threads = Recorder<UInt>()
        pool.run(on: .fileSystem(1)) {
            for word in ["one", "two"] {
                pool.runUserCode {
                    said.append(pool.isQuiet ? word : "too early")
                    threads.append(SystemCalls.threadID)
                }
            }
            said.append("done")
            threads.append(SystemCalls.threadID)
        }
        #expect(said.wait(for: 3))
        #expect(said.all == ["done", "one", "two"])
        #expect(Set(threads.all).count == 1)
    }

    @Test func `user code that work leaves waits for a slot of user code, and the work's slot does not`() {
        let (pool, gate) = (WorkerPool(), TestSupport.Gate())
        fill(.userCode, of: pool, until: gate)
        let said = Recorder<Void>()
        for _ in 0..<2 * WorkerPool.slots {
            pool.run(on: .fileSystem(1)) { pool.runUserCode { said.append(()) } }
        }
        #expect(eventually { pool.isQuiet })
        #expect(said.all.isEmpty)
        gate.open()
        #expect(said.wait(for: 2 * WorkerPool.slots))
    }

    @Test func `user code that is told on another thread than the library's runs there at once`() {
        let pool = WorkerPool()
        let threads = Recorder<UInt>()
        pool.runUserCode { threads.append(SystemCalls.threadID) }
        #expect(threads.all == [SystemCalls.threadID])
    }

    /// In a process of its own, because it takes all slots that handlers have in one.
    @Test func `handlers that block, however many, hold back no checkpoint and no change of another suite`()
        async
    {
        await #expect(processExitsWith: .success) {
            let (blocking, working) = (try TemporaryFolder(), try TemporaryFolder())
            let (blocked, suite) = (try blocking.suite(), try working.suite())
            let (entered, gate) = (Recorder<Void>(), TestSupport.Gate())
            defer { gate.open() }
            let observations = (0..<2 * WorkerPool.slots).map { _ in
                blocked.observe(forKey: "a", options: []) { _ in
                    entered.append(())
                    #expect(gate.wait())
                }
            }
            try blocking.saveByRename("{\"a\": 2}")
            try #require(entered.wait(for: WorkerPool.slots))
            try suite.set(1, forKey: "n")
            #expect(try eventually { try working.read("settings/settings.json").contains("\"n\": 1") })
            // Not by an observer, for whom there is no slot: what is read is what was saved.
            for _ in 0..<100 { _ = suite.value(forKey: "m") }
            try working.saveByRename("{\"m\": 3}")
            #expect(eventually { suite.value(forKey: "m") == 3 })
            gate.open()
            #expect(entered.wait(for: 2 * WorkerPool.slots))
            observations.forEach { $0.invalidate() }
        }
    }

    @Test func `without a thread to be had work is not taken on, and the next is`() throws {
        let pool = WorkerPool()
        let refused = FaultInjection(FaultInjection.Rule("pthread_create", errno: EAGAIN))
        FaultInjection.$current.withValue(refused) {
            #expect(!pool.handOver { Issue.record("there was no thread") })
        }
        let done = Recorder<Void>()
        #expect(pool.handOver { done.append(()) })
        #expect(done.wait(for: 1))
    }

    @Test func `work that is handed over is never done by one who brings other work`() throws {
        let pool = WorkerPool()
        let threads = Recorder<UInt>()
        let refused = FaultInjection(FaultInjection.Rule("pthread_create", errno: EAGAIN, lasts: true))
        for count in 1...50 {
            #expect(eventually { pool.handOver { threads.append(SystemCalls.threadID) } })
            FaultInjection.$current.withValue(refused) { for _ in 0..<3 { pool.run {} } }
            #expect(threads.wait(for: count))
        }
        #expect(!threads.all.contains(SystemCalls.threadID))
    }
}
