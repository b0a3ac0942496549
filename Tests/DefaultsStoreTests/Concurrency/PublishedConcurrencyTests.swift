/// A published object under readers and writers: never a released one, and each released exactly once.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct PublishedConcurrencyTests {
    /// An object that counts its end and knows what it was made with.
    private final class Version: Sendable {
        let number: Int
        let copy: Int
        private let released: Counter

        init(_ number: Int, _ released: Counter) {
            (self.number, copy, self.released) = (number, ~number, released)
        }

        deinit { released.gone.append(number) }
    }

    private final class Counter: Sendable {
        let gone = Recorder<Int>()

        /// Whether so many versions go, each once; threads may let go of theirs a little after the test.
        func all(_ count: Int) -> Bool {
            gone.wait(for: count) && gone.all.count == count && Set(gone.all).count == count
        }
    }

    @Test func `readers see whole versions, never an older one than before, and each goes exactly once`()
        throws
    {
        let released = Counter()
        try run(versions: 1_000, released)
        #expect(released.all(1_001))
    }

    private func run(versions: Int, _ released: Counter) throws {
        let published = Published(Version(0, released))
        withThreads(4) { thread in
            var last = 0
            for number in 1...versions {
                guard thread > 0 else {
                    _ = published.store(Version(number, released))
                    continue
                }
                let version = published.load()
                #expect(version.copy == ~version.number && version.number >= last)
                last = version.number
            }
        }
        #expect(published.load().number == versions)
    }

    @Test func `what was replaced ends with what the replacement returns, so that it can leave a lock`() {
        let released = Counter()
        let published = Published(Version(0, released))
        let displaced = published.store(Version(1, released))
        #expect(released.gone.all == [])
        _ = consume displaced
        #expect(released.gone.all == [0])
    }

    @Test func `several writers lose no version and keep none`() {
        let released = Counter()
        do {
            let published = Published(Version(0, released))
            withThreads(4) { thread in
                for number in 1...250 { _ = published.store(Version(thread * 1_000 + number, released)) }
            }
        }
        #expect(released.all(1_001))
    }

    @Test func `a version that a reader holds outlives its replacement`() {
        let released = Counter()
        let published = Published(Version(1, released))
        let held = published.load()
        for number in 2...10 { _ = published.store(Version(number, released)) }
        #expect(held.number == 1 && held.copy == ~1)
        #expect(!released.gone.all.contains(1))
    }
}
