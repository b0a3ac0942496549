import Synchronization

/// Background work that many may want: done once for all who wanted it before it began, by one thread at a time.
package final class Errand: Sendable {
    private enum Phase: UInt64 {
        case idle, due, underWay
        /// Somebody has wanted it since it began, so it is done once more.
        case underWayAndDue
    }

    /// The phase, and above it the number of forks before it: what was under way in a parent is not in its child.
    private let state = Atomic<UInt64>(Errand.bits(.idle))
    private let body: @Sendable () -> Void

    /// Creates an errand that nobody has wanted yet.
    package init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// Wants it.
    ///
    /// What the caller has done before is seen by the body.
    ///
    /// - Returns: whether the caller has to have ``perform(by:in:)`` called; otherwise somebody else does.
    func want() -> Bool {
        change { phase in
            switch phase {
            case .idle: .due
            case .due: .due
            case .underWay, .underWayAndDue: .underWayAndDue
            }
        } == .idle
    }

    /// Does it, again and again as long as it is wanted meanwhile.
    ///
    /// If the body has left something to people's code, the next time is another thread's, which waits for no such
    /// code.
    func perform(by pool: WorkerPool, in place: WorkerPool.Place) {
        while true {
            begin()
            body()
            guard end() else { return }
            if pool.hasLeftToPeople {
                return pool.run(in: place) { [self] in perform(by: pool, in: place) }
            }
        }
    }

    /// Notes that it is being done from now on: who wants it now wants it once more.
    func begin() { _ = change { _ in .underWay } }

    /// Notes that it has been done.
    ///
    /// - Returns: whether it is to be done again.
    func end() -> Bool { change { $0 == .underWayAndDue ? .due : .idle } == .underWayAndDue }

    /// Whether somebody has wanted it since it began.
    var isWantedAgain: Bool { phase(state.load(ordering: .acquiring)) == .underWayAndDue }

    /// Whether nobody wants it, and nobody is at it.
    var isIdle: Bool { phase(state.load(ordering: .acquiring)) == .idle }

    /// - Returns: the phase before.
    private func change(_ next: (Phase) -> Phase) -> Phase {
        var bits = state.load(ordering: .relaxed)
        while true {
            let before = phase(bits)
            let (isDone, other) = state.compareExchange(
                expected: bits, desired: Errand.bits(next(before)), ordering: .acquiringAndReleasing)
            if isDone { return before }
            bits = other
        }
    }

    private func phase(_ bits: UInt64) -> Phase {
        bits >> 2 == UInt64(Fork.count) ? Phase(rawValue: bits & 3) ?? .idle : .idle
    }

    private static func bits(_ phase: Phase) -> UInt64 { UInt64(Fork.count) << 2 | phase.rawValue }
}

extension WorkerPool {
    /// Has an errand done soon.
    package func run(_ errand: Errand, in place: Place) {
        if errand.want() { run(in: place) { [self] in errand.perform(by: self, in: place) } }
    }
}
