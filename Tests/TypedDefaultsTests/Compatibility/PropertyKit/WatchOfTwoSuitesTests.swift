/// A watch of a property that depends on two suites: one event at a time, and the last one has the present value.
import DefaultsStore
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

@Suite(.timeLimit(.minutes(60)), .ownThread) struct WatchOfTwoSuitesTests {
    /// A sum of which reading can be made to wait between the two parts.
    private final class Sum: PropertyWatchable, Sendable {
        let first = Defaults.Key<Int>("n", default: 0, suite: .inMemory())
        let last = Defaults.Key<Int>("n", default: 0, suite: .inMemory())
        private let pause: @Sendable () -> Void

        init(pause: @escaping @Sendable () -> Void = {}) { self.pause = pause }

        var value: Int {
            let last = last.suite[last]
            pause()
            return first.suite[first] &+ last
        }
    }

    private final class Number: Sendable {
        let value = Locked(0)
    }

    @Test func `a thread that reads for long does not tell an older value behind a newer one`() throws {
        let (slow, reading, goOn) = (Number(), Gate(), Gate())
        let sum = Sum {
            // The first read of the slow thread alone.
            guard slow.value.withLock({ $0 }) == 1 else { return }
            slow.value.withLock { $0 = 0 }
            reading.open()
            goOn.wait()
        }
        let heard = Recorder<[Int]>()
        sum.watch(\.value) { _, change in heard.append([change.oldValue, change.newValue]) }
        try withThreads(2) { thread in
            if thread == 0 {
                slow.value.withLock { $0 = 1 }
                try sum.first.suite.set(sum.first, to: 1)
            } else {
                reading.wait()
                try sum.last.suite.set(sum.last, to: 10)
                goOn.open()
            }
        }
        #expect(heard.all.last?.last == 11)
        // A chain, whose last link is the present value.
        for (event, next) in zip(heard.all, heard.all.dropFirst()) { #expect(event[1] == next[0]) }
    }

    @Test func `its handler is not called by two threads at once, and hears the end`() throws {
        let sum = Sum()
        let (inside, heard) = (Number(), Recorder<Int>())
        sum.watch(\.value) { _, change in
            inside.value.withLock {
                #expect($0 == 0)
                $0 = 1
            }
            heard.append(change.newValue)
            inside.value.withLock { $0 = 0 }
        }
        try withThreads(2) { thread in
            let key = thread == 0 ? sum.first : sum.last
            for number in 1...2_000 { try key.suite.set(key, to: number) }
        }
        #expect(heard.all.last == 4_000)
    }

    @Test func `no call comes after it has ended in its handler, though the other suite's event waits`()
        throws
    {
        let sum = Sum()
        let observation = Locked<DefaultsObservation?>(nil)
        let calls = Recorder<Int>()
        let watch = sum.watch(\.value) { sum, change in
            calls.append(change.newValue)
            #expect(throws: Never.self) { try sum.last.suite.set(sum.last, to: change.newValue + 1) }
            observation.withLock { $0 }?.invalidate()
        }
        observation.withLock { $0 = watch }
        try sum.first.suite.set(sum.first, to: 1)
        #expect(calls.all == [1])
    }
}
