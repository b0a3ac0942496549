/// Observations bound to an object's life.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread)
struct LifetimeTiesTests {
    private final class Owner: Sendable {}

    /// Something a handler keeps, which tells when it goes.
    private final class Captured: Sendable {
        let gone: Recorder<Deadline>
        init(_ gone: Recorder<Deadline>) { self.gone = gone }
        deinit { gone.append(.after(milliseconds: 0)) }
    }

    private let suite = DefaultsSuite.inMemory()
    private let events = Recorder<Int>()

    private func observe(_ number: Int = 0, keeping captured: Captured? = nil) -> DefaultsObservation {
        suite.observe(forKey: "a", options: []) { [events] _ in
            withExtendedLifetime(captured) { events.append(number) }
        }
    }

    @Test func `an observation that nobody keeps ends, a tied one goes on`() throws {
        let owner = Owner()
        _ = observe(1)
        observe(2).tieToLifetime(of: owner)
        try suite.set(1, forKey: "a")
        #expect(events.all == [2])
        withExtendedLifetime(owner) {}
    }

    @Test func `no event comes after the owner is gone, though nothing has ended the observation`() throws {
        var owner: Owner? = Owner()
        let observation = observe()
        if let owner { observation.tieToLifetime(of: owner) }
        try suite.set(1, forKey: "a")
        let gone = { [weak owner] in owner }
        owner = nil
        // A background thread may be looking whether it is still there.
        #expect(eventually { gone() == nil })
        try suite.set(2, forKey: "a")
        #expect(events.all.count == 1)
        withExtendedLifetime(observation) {}
    }

    @Test func `what the handler captured is let go after the owner, without any event`() {
        let gone = Recorder<Deadline>()
        var owner: Owner? = Owner()
        if let owner { observe(keeping: Captured(gone)).tieToLifetime(of: owner) }
        #expect(gone.all.isEmpty)
        owner = nil
        #expect(gone.wait(for: 1))
    }

    @Test func `a second tie replaces the first`() throws {
        var first: Owner? = Owner()
        let second = Owner()
        let observation = observe()
        if let first { observation.tieToLifetime(of: first) }
        observation.tieToLifetime(of: second)
        first = nil
        try suite.set(1, forKey: "a")
        #expect(events.all.count == 1)
        withExtendedLifetime(second) {}
    }

    @Test func `an observer that is tied too late, while its call is on the way, is not called either`()
        throws
    {
        let active = Recorder<Bool>()
        let observation = suite.context.observe([KeyName("a")], sendsInitial: false, delivery: .immediate) {
            [active] _, subscription in
            subscription.tie(to: Owner())
            active.append(subscription.isActive)
        }
        try suite.set(1, forKey: "a")
        #expect(active.all == [false])
        observation.invalidate()
    }

    @Test func `an owner that a call finds is there until it ends`() throws {
        let gone = Recorder<Deadline>()
        let goneInside = Recorder<Int>()
        let observation = suite.context.observe([KeyName("a")], sendsInitial: false, delivery: .immediate) {
            [gone, goneInside] _, subscription in
            do {
                let owner = Captured(gone)
                subscription.tie(to: owner)
                #expect(subscription.isActive)
                withExtendedLifetime(owner) {}
            }
            goneInside.append(gone.all.count)
        }
        try suite.set(1, forKey: "a")
        #expect(goneInside.all == [0])
        #expect(gone.all.count == 1)
        observation.invalidate()
    }

    @Test func `an untied observation lasts as long as its last reference`() throws {
        let owner = Owner()
        var observation: DefaultsObservation? = observe()
        observation?.tieToLifetime(of: owner)
        observation?.removeLifetimeTie()
        try suite.set(1, forKey: "a")
        observation = nil
        try suite.set(2, forKey: "a")
        #expect(events.all.count == 1)
        withExtendedLifetime(owner) {}
    }

    @Test func `a tied observation stays for a weak reference, which can end it`() throws {
        let owner = Owner()
        let observation = { [weak tied = observe().tieToLifetime(of: owner)] in tied }
        try suite.set(1, forKey: "a")
        #expect(observation() != nil)
        observation()?.invalidate()
        try suite.set(2, forKey: "a")
        #expect(events.all.count == 1)
        #expect(observation() == nil)
        withExtendedLifetime(owner) {}
    }

    @Test func `a tied observation that nobody keeps ends where it is untied`() throws {
        let owner = Owner()
        let observation = { [weak tied = observe().tieToLifetime(of: owner)] in tied }
        try suite.set(1, forKey: "a")
        observation()?.removeLifetimeTie()
        try suite.set(2, forKey: "a")
        #expect(events.all.count == 1)
        #expect(observation() == nil)
        withExtendedLifetime(owner) {}
    }

    @Test func `a handler that keeps its own tied observation goes with the owner`() {
        let gone = Recorder<Deadline>()
        let held = Recorder<DefaultsObservation>()
        var owner: Owner? = Owner()
        if let owner {
            let captured = Captured(gone)
            let observation = suite.observe(forKey: "a", options: []) { [captured, held] _ in
                withExtendedLifetime((captured, held)) {}
            }
            held.append(observation.tieToLifetime(of: owner))
        }
        owner = nil
        #expect(gone.wait(for: 1))
    }

    @Test func `an observation ends inside its own event`() throws {
        let held = Recorder<DefaultsObservation>()
        let observation = suite.observe(forKey: "a", options: []) { [events] _ in
            events.append(1)
            held.all.forEach { $0.invalidate() }
        }
        held.append(observation)
        try suite.set(1, forKey: "a")
        try suite.set(2, forKey: "a")
        observation.invalidate()
        #expect(events.all.count == 1)
    }
}
