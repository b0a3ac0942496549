import Synchronization

/// The observations that are tied to an object's lifetime, kept here so that nobody else has to keep them.
///
/// Swift does not notify of an object's end, so it is looked for while there are any: soon after something has
/// happened, and ever more rarely while the program sleeps. No event is delivered in between: a mailbox checks its owner
/// before each call.
package final class LifetimeTies: Sendable {
    package static let shared = LifetimeTies()

    private static let isSlow = Atomic<Bool>(false)

    private struct State {
        /// By the first observer of each.
        var ties: [ObjectIdentifier: DefaultsObservation] = [:]
        var isPolling = false
        var interval = PollInterval()
        /// How often polling has started over: a poll that was scheduled before does nothing.
        var beginnings = 0
    }

    private let state = Locked(State())  // Lock L7: protects the list; nothing is called under it.

    /// Has the next poll come soon, because something has happened.
    ///
    /// - Cost: one atomic load, while polls are close together or there is nothing to look for.
    static func hasten() {
        guard isSlow.load(ordering: .relaxed), isSlow.exchange(false, ordering: .relaxed) else { return }
        shared.begin(PollInterval())
    }

    /// Continues as after a long sleep; for tests.
    package func slowDown() { begin(.slowest) }

    /// Until its object is gone.
    func add(_ observation: DefaultsObservation) {
        guard let first = observation.parts.first else { return }
        // Another observation of the same observer may end here, and run user code, so it leaves the lock first.
        let (isFirst, old) = state.withLock { state in
            (!state.isPolling, state.ties.updateValue(observation, forKey: first.id))
        }
        withExtendedLifetime(old) {}
        if isFirst { begin(PollInterval()) } else { LifetimeTies.hasten() }
    }

    func forget(_ parts: [DefaultsObservation.Part]) {
        guard let first = parts.first else { return }
        // The last reference may run user code, so it leaves the lock first.
        let forgotten = state.withLock { $0.ties.removeValue(forKey: first.id) }
        withExtendedLifetime(forgotten) {}
    }

    /// Replaces the poll that is scheduled.
    private func begin(_ interval: PollInterval) {
        let beginning = state.withLock { state -> Int? in
            guard !state.ties.isEmpty else { return nil }
            state.isPolling = true
            state.beginnings += 1
            LifetimeTies.record(interval, &state)
            return state.beginnings
        }
        if let beginning { poll(afterMilliseconds: interval.wait, beginning) }
    }

    private static func record(_ interval: PollInterval, _ state: inout State) {
        state.interval = interval
        isSlow.store(interval.isSlow, ordering: .relaxed)
    }

    private func poll(afterMilliseconds wait: UInt64, _ beginning: Int) {
        // Releasing what a handler captured may run user code.
        EventLoop.shared.scheduleAnyway(afterMilliseconds: wait, on: .userCode) { [self] in poll(beginning) }
    }

    private func poll(_ beginning: Int) {
        let used = SystemCalls.processorNanoseconds
        // Not the observations themselves: one that is untied meanwhile ends with the last reference elsewhere.
        let all = state.withLock { $0.beginnings == beginning ? $0.ties.values.map(\.parts) : [] }
        for parts in all where DefaultsObservation.endIfOrphaned(parts) { forget(parts) }
        let wait = state.withLock { state -> UInt64? in
            guard state.beginnings == beginning else { return nil }
            state.isPolling = !state.ties.isEmpty
            var interval = state.interval
            if state.isPolling {
                interval.recordPoll(from: used, to: SystemCalls.processorNanoseconds)
            } else {
                interval = PollInterval()
            }
            LifetimeTies.record(interval, &state)
            return state.isPolling ? interval.wait : nil
        }
        if let wait { poll(afterMilliseconds: wait, beginning) }
    }
}
