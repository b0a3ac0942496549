import TestSupport
import Testing
import TypedDefaults

/// An object that says when it goes.
private final class Owner: Sendable {
    private let gone: Gate
    init(_ gone: Gate) { self.gone = gone }
    deinit { gone.open() }
}

/// The ways an observation ends.
@Suite(.ownThread) struct ObserverLifetimeTests {
    private let size = Defaults.Key<Int>("size", default: 1, suite: .inMemory())

    @Test func `no event comes after invalidate, which may be called again`() {
        let events = Recorder<Change>()
        let observation = Defaults.observe(size, options: []) { events.append(Change($0)) }
        Defaults[size] = 2
        observation.invalidate()
        observation.invalidate()
        Defaults[size] = 3
        #expect(events.all == [Change(old: 1, new: 2)])
    }

    @Test func `an untied observation ends with its last reference`() {
        let events = Recorder<Change>()
        var observation: DefaultsObservation? = Defaults.observe(size, options: []) {
            events.append(Change($0))
        }
        Defaults[size] = 2
        #expect(observation != nil)
        observation = nil
        Defaults[size] = 3
        #expect(events.all == [Change(old: 1, new: 2)])
    }

    @Test func `invalidate releases the handler and what it captured`() {
        let gone = Gate()
        let captured = Owner(gone)
        let observation = Defaults.observe(size) { [captured] _ in withExtendedLifetime(captured) {} }
        observation.invalidate()
        _ = consume captured
        #expect(gone.wait())
    }

    @Test func `a handler that invalidates its own observation hears nothing more`() {
        let events = Recorder<Change>()
        let holder = Holder()
        holder.observation = Defaults.observe(size, options: []) { change in
            events.append(Change(change))
            holder.observation?.invalidate()
        }
        Defaults[size] = 2
        Defaults[size] = 3
        #expect(events.all == [Change(old: 1, new: 2)])
    }

    @Test func `a handler that writes and then invalidates does not hear its write`() {
        let events = Recorder<Change>()
        let holder = Holder()
        let size = size
        holder.observation = Defaults.observe(size, options: []) { change in
            events.append(Change(change))
            Defaults[size] = 10
            holder.observation?.invalidate()
        }
        Defaults[size] = 2
        #expect(events.all == [Change(old: 1, new: 2)])
    }

    @Test func `the initial event may invalidate another observation and start a third`() {
        let (first, third) = (Recorder<Change>(), Recorder<Change>())
        let holder = Holder()
        let size = size
        let observation = Defaults.observe(size, options: []) { first.append(Change($0)) }
        let second = Defaults.observe(size, options: [.initial]) { change in
            guard change.isInitial else { return }
            observation.invalidate()
            holder.observation = Defaults.observe(size, options: []) { third.append(Change($0)) }
        }
        Defaults[size] = 2
        #expect(first.all == [])
        #expect(third.all == [Change(old: 1, new: 2)])
        second.invalidate()
        holder.observation?.invalidate()
    }

    @Test func `a tied observation lives without a reference as long as its owner`() {
        let gone = Gate()
        let owner = Owner(gone)
        let events = Recorder<Change>()
        Defaults.observe(size, options: []) { events.append(Change($0)) }.tieToLifetime(of: owner)
        Defaults[size] = 2
        withExtendedLifetime(owner) {}
        #expect(events.all == [Change(old: 1, new: 2)])
    }

    @Test func `no event comes after the owner is gone`() {
        let events = Recorder<Change>()
        let gone = Gate()
        do {
            let owner = Owner(gone)
            Defaults.observe(size, options: []) { events.append(Change($0)) }.tieToLifetime(of: owner)
            Defaults[size] = 2
            withExtendedLifetime(owner) {}
        }
        #expect(gone.wait())
        Defaults[size] = 3
        #expect(events.all == [Change(old: 1, new: 2)])
    }

    @Test func `the handler and what it captured are released within a second of the owner`() {
        // A busy machine may hold up the thread that looks for all suites, but not each time.
        #expect((1...10).contains { _ in durationOfRelease() < .seconds(3) })
    }

    /// How long after an owner's end what the handler captured is released.
    private func durationOfRelease() -> Duration {
        let (ownerGone, capturedGone) = (Gate(), Gate())
        do {
            let (owner, captured) = (Owner(ownerGone), Owner(capturedGone))
            Defaults.observe(size) { [captured] _ in withExtendedLifetime(captured) {} }.tieToLifetime(
                of: owner)
            withExtendedLifetime(owner) {}
        }
        #expect(ownerGone.wait())
        return ContinuousClock().measure { #expect(capturedGone.wait()) }
    }

    @Test func `a second tie replaces the first`() {
        let events = Recorder<Change>()
        let (firstGone, secondGone) = (Gate(), Gate())
        let second = Owner(secondGone)
        do {
            let first = Owner(firstGone)
            Defaults.observe(size, options: []) { events.append(Change($0)) }
                .tieToLifetime(of: first).tieToLifetime(of: second)
        }
        #expect(firstGone.wait())
        Defaults[size] = 2
        withExtendedLifetime(second) {}
        #expect(events.all == [Change(old: 1, new: 2)])
    }

    @Test func `an untied observation ends with its last reference again`() {
        let events = Recorder<Change>()
        let owner = Owner(Gate())
        do {
            let observation = Defaults.observe(size, options: []) { events.append(Change($0)) }
            observation.tieToLifetime(of: owner)
            observation.removeLifetimeTie()
            Defaults[size] = 2
            withExtendedLifetime(observation) {}
        }
        Defaults[size] = 3
        withExtendedLifetime(owner) {}
        #expect(events.all == [Change(old: 1, new: 2)])
    }

    @Test func `an observation untied in time outlives its former owner`() {
        let events = Recorder<Change>()
        let gone = Gate()
        let observation = Defaults.observe(size, options: []) { events.append(Change($0)) }
        do {
            let owner = Owner(gone)
            observation.tieToLifetime(of: owner).removeLifetimeTie()
            withExtendedLifetime(owner) {}
        }
        #expect(gone.wait())
        Defaults[size] = 2
        #expect(events.all == [Change(old: 1, new: 2)])
        observation.invalidate()
    }

    @Test func `a tie holds for an observation of keys in two suites`() {
        let other = Defaults.Key<Int>("size", default: 1, suite: .inMemory())
        let size = size
        let calls = Recorder<[Int]>()
        let gone = Gate()
        do {
            let owner = Owner(gone)
            Defaults.observe(size, other, options: []) { calls.append([Defaults[size], Defaults[other]]) }
                .tieToLifetime(of: owner)
            Defaults[size] = 2
            Defaults[other] = 3
            withExtendedLifetime(owner) {}
        }
        #expect(gone.wait())
        Defaults[size] = 4
        Defaults[other] = 5
        #expect(calls.all == [[2, 1], [2, 3]])
    }
}
