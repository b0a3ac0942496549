import Synchronization

/// Background work that many may want: done once for all who wanted it before it began, by one thread at a time.
package final class Errand: Sendable {
    private enum Phase: UInt64 {
        case idle, due, underWay
        /// Somebody has wanted it since it began, so it is done once more.
        case underWayAndDue
        /// It has been done, and people's code that it has left has not come to its end.
        case told
    }

    /// What whoever wants an errand has to do.
    enum Duty {
        /// Somebody else has ``perform(by:in:)`` called.
        case none
        /// To have it called.
        case now
        /// To have it called behind people's code, by the thread that is about to be free; or by another one, if that
        /// takes long.
        case next
    }

    private let state = Atomic<UInt64>(Phase.idle.rawValue)
    private let body: @Sendable () -> Void

    /// Creates an errand that nobody has wanted yet.
    package init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// Wants it.
    ///
    /// What the caller has done before is seen by the body.
    ///
    /// - Returns: what the caller has to do.
    func want() -> Duty {
        let before = change { phase in
            switch phase {
            case .idle, .due, .told: .due
            case .underWay, .underWayAndDue: .underWayAndDue
            }
        }
        return before == .idle ? .now : before == .told ? .next : .none
    }

    /// Does it, again and again as long as it is wanted meanwhile.
    ///
    /// If the body has left something to people's code, the next time comes behind that, or is another thread's if
    /// that code takes long.
    func perform(by pool: WorkerPool, in place: WorkerPool.Place) {
        while true {
            begin()
            body()
            let isTold = pool.hasLeftToPeople
            if isTold { pool.tell { [self] in change { $0 == .told ? .idle : $0 } } }
            guard end(isTold: isTold) else { return }
            if isTold { return performNext(by: pool, in: place) }
        }
    }

    /// Has it done behind what the threads of a pool do, or by another one if that takes long.
    func performNext(by pool: WorkerPool, in place: WorkerPool.Place) {
        pool.runNext(in: place) { [self] in perform(by: pool, in: place) }
    }

    /// Notes that it is being done from now on: who wants it now wants it once more.
    func begin() { change { _ in .underWay } }

    /// Notes that it has been done.
    ///
    /// - Parameter isTold: whether it has left something to people's code.
    /// - Returns: whether it is to be done again.
    func end(isTold: Bool = false) -> Bool {
        change { $0 == .underWayAndDue ? .due : isTold ? .told : .idle } == .underWayAndDue
    }

    /// Whether somebody has wanted it since it began.
    var isWantedAgain: Bool { phase(state.load(ordering: .acquiring)) == .underWayAndDue }

    /// Whether nobody wants it, and nobody is at it.
    var isIdle: Bool {
        let phase = phase(state.load(ordering: .acquiring))
        return phase == .idle || phase == .told
    }

    /// - Returns: the phase before.
    @discardableResult
    private func change(_ next: (Phase) -> Phase) -> Phase {
        var bits = state.load(ordering: .relaxed)
        while true {
            let before = phase(bits)
            let (isDone, other) = state.compareExchange(
                expected: bits, desired: next(before).rawValue, ordering: .acquiringAndReleasing)
            if isDone { return before }
            bits = other
        }
    }

    private func phase(_ bits: UInt64) -> Phase { Phase(rawValue: bits) ?? .idle }
}

extension WorkerPool {
    /// Has an errand done soon.
    package func run(_ errand: Errand, in place: Place) {
        switch errand.want() {
        case .none: return
        case .now: run(in: place) { [self] in errand.perform(by: self, in: place) }
        case .next: errand.performNext(by: self, in: place)
        }
    }
}
