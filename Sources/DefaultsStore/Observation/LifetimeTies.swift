/// The observations that are tied to an object's lifetime, kept here so that nobody else has to keep them.
///
/// Swift does not notify of an object's end, so it is checked twice a second while there are any. No
/// event is delivered in between: a mailbox checks its owner before each call.
final class LifetimeTies: Sendable {
    /// The instance of this process.
    static var shared: LifetimeTies { perProcess.object }
    private static let perProcess = PerProcess { LifetimeTies() }

    private struct State {
        /// By the first observer of each.
        var ties: [ObjectIdentifier: DefaultsObservation] = [:]
        var isLooking = false
    }

    private let state = Locked(State())  // Lock L7: protects the list; nothing is called under it.

    /// Keeps an observation until its object is gone.
    func add(_ observation: DefaultsObservation) {
        guard let first = observation.parts.first else { return }
        // Another observation of the same observer may end here, and run user code, so it leaves the lock first.
        let (starts, old) = state.withLock { state in
            defer { state.isLooking = true }
            return (!state.isLooking, state.ties.updateValue(observation, forKey: first.id))
        }
        withExtendedLifetime(old) {}
        if starts { lookLater() }
    }

    /// Stops keeping an observation.
    func forget(_ parts: [DefaultsObservation.Part]) {
        guard let first = parts.first else { return }
        // The last reference may run user code, so it leaves the lock first.
        let forgotten = state.withLock { $0.ties.removeValue(forKey: first.id) }
        withExtendedLifetime(forgotten) {}
    }

    private func lookLater() {
        do {
            // Releasing what a handler captured may run people's code.
            try EventLoop.shared.schedule(afterMilliseconds: 500, in: .people) { [self] in look() }
        } catch {
            state.withLock { $0.isLooking = false }
            SystemCalls.writeToStandardError(
                "TypedDefaults: tied observers are only released at their next event: \(error)")
        }
    }

    private func look() {
        // Not the observations themselves: one that is untied meanwhile ends with the last reference elsewhere.
        let all = state.withLock { $0.ties.values.map(\.parts) }
        for parts in all where DefaultsObservation.endIfOrphaned(parts) { forget(parts) }
        let goesOn = state.withLock { state in
            state.isLooking = !state.ties.isEmpty
            return state.isLooking
        }
        if goesOn { lookLater() }
    }
}
