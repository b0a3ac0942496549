import Synchronization
import TestSupport
import Testing
import TypedDefaults

/// Observations that end while events are delivered.
@Suite(.ownThread) struct EndingConcurrencyTests {
    /// An owner that ends its observation when it goes, as people write it.
    private final class Owner: Sendable {
        private let observation: DefaultsObservation

        init(_ key: Defaults.Key<Int>) {
            observation = Defaults.observe(key) { _ in }
            observation.tieToLifetime(of: self)
        }

        deinit { observation.invalidate() }
    }

    @Test func `an owner may end its observation in its deinit, whichever thread lets go of it last`() {
        let count = Defaults.Key<Int>("count", default: 0, suite: .inMemory())
        let owners = (0..<100).map { _ in Recorder<Owner>() }
        for owner in owners { owner.append(Owner(count)) }
        withThreads(2) { thread in
            if thread == 0 {
                for number in 1...100 { Defaults[count] = number }
            } else {
                for owner in owners { owner.removeAll() }
            }
        }
        #expect(Defaults[count] == 100)
    }

    @Test func `an observation that ends while the value is decoded is not called any more`() {
        let decoding = Gate()
        let goesOn = Gate()
        let blocks = Atomic<Bool>(false)
        let codec = DefaultsCodec<Int>(
            encode: { try DefaultsCodec<Int>.codable.encode($0) },
            decode: { text in
                if blocks.load(ordering: .acquiring) {
                    decoding.open()
                    _ = goesOn.wait()
                }
                return try DefaultsCodec<Int>.codable.decode(text)
            })
        let suite = DefaultsSuite.inMemory()
        let count = Defaults.Key<Int>("count", default: 0, suite: suite, codec: codec)
        let heard = Recorder<Int>()
        let observation = Defaults.observe(count, options: []) { heard.append($0.newValue) }
        withThreads(2) { thread in
            if thread == 0 {
                blocks.store(true, ordering: .releasing)
                Defaults[count] = 1
            } else {
                _ = decoding.wait()
                observation.invalidate()
                blocks.store(false, ordering: .releasing)
                goesOn.open()
            }
        }
        #expect(heard.all == [])
    }

    @Test func `keys of two suites hear the initial event in the observer's own place`() {
        let first = Defaults.Key<Int>("n", default: 0, suite: .inMemory())
        let second = Defaults.Key<Int>("n", default: 0, suite: .inMemory())
        let work = Recorder<@Sendable () -> Void>()
        let calls = Recorder<Int>()
        let observation = Defaults.observe([first, second], on: .custom { work.append($0) }) {
            calls.append(1)
        }
        #expect(calls.all.isEmpty)
        work.all.forEach { $0() }
        #expect(calls.all == [1])
        observation.invalidate()
    }
}
