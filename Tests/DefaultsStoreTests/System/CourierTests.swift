/// Changes from outside: handlers are called in the background, and a slow one delays no other.
@testable import DefaultsStore
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct CourierTests {
    @Test func `an observer that does not return delays no other of the same change`() throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        try suite.set(1, forKey: "a")
        let heard = Recorder<Int>()
        let isBlocked = Atomic<Bool>(false)
        let gate = TestSupport.Gate()
        // Whichever of them is called first stays until the others have been called.
        let observations = (0..<4).map { number in
            suite.observe(key: "a", options: []) { _ in
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
        let slow = suite.observe(key: "slow", options: []) { _ in
            entered.open()
            #expect(gate.wait())
        }
        let quick = suite.observe(key: "quick", options: [.new]) { heard.append($0.newValue) }
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
        let observation = suite.observe(key: "a", options: []) { _ in threads.append(SystemCalls.threadID) }
        try folder.saveByRename("{\"a\": 2}")
        try suite.core.store().raiseEpoch()
        #expect(suite.value(forKey: "a") == 2)
        #expect(threads.wait(for: 1))
        #expect(threads.all.first != SystemCalls.threadID)
        observation.invalidate()
    }

    @Test func `work that is handed over is done by another thread, an idle one or a new one`() throws {
        let courier = Courier()
        let threads = Recorder<UInt>()
        for count in 1...3 {
            #expect(courier.handOver { threads.append(SystemCalls.threadID) })
            #expect(threads.wait(for: count))
        }
        #expect(!threads.all.contains(SystemCalls.threadID))
    }

    @Test func `where all threads are kept, work is not taken on, and later it is`() throws {
        let courier = Courier()
        let (entered, gate) = (Recorder<Void>(), TestSupport.Gate())
        var taken = 0
        while courier.handOver({
            entered.append(())
            #expect(gate.wait())
        }) { taken += 1 }
        #expect(entered.wait(for: taken))
        #expect(!courier.handOver { Issue.record("nobody was there to do it") })
        gate.open()
        let done = Recorder<Void>()
        #expect(eventually { courier.handOver { done.append(()) } })
        #expect(done.wait(for: 1))
    }

    @Test func `without a thread to be had work is not taken on, and the next is`() throws {
        let courier = Courier()
        let refused = Faults(Faults.Rule("pthread_create", errno: EAGAIN))
        Faults.$current.withValue(refused) {
            #expect(!courier.handOver { Issue.record("there was no thread") })
        }
        let done = Recorder<Void>()
        #expect(courier.handOver { done.append(()) })
        #expect(done.wait(for: 1))
    }

    @Test func `work that is handed over is never done by one who brings other work`() throws {
        let courier = Courier()
        let threads = Recorder<UInt>()
        let refused = Faults(Faults.Rule("pthread_create", errno: EAGAIN, lasts: true))
        for count in 1...50 {
            #expect(eventually { courier.handOver { threads.append(SystemCalls.threadID) } })
            Faults.$current.withValue(refused) { for _ in 0..<3 { courier.run {} } }
            #expect(threads.wait(for: count))
        }
        #expect(!threads.all.contains(SystemCalls.threadID))
    }
}
