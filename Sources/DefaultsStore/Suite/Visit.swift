import Synchronization

/// Who has passed a store's gate, with the transaction they have open and what is to be told when they leave.
struct Visit: Sendable {
    /// The one inside: whoever began, then whoever ends it, should that be on another thread.
    var visitor: Visitor
    /// The open transaction; nil while it begins and while it ends, when nothing can join it.
    var transaction: OpenTransaction?
    /// What tells of the failures met inside: a person's code hears them, so it runs when the locks are given back.
    var told: [@Sendable () -> Void] = []
}

/// The one who is inside, and telling without running a person's code under the gate.
extension SuiteStore {
    /// The transaction the calling thread and task have open, if any.
    ///
    /// - Cost: a load where nobody is inside.
    package func joined() -> OpenTransaction? {
        // Whoever has a transaction open has set this before, or was handed what another thread has set.
        guard isVisited.load(ordering: .relaxed) else { return nil }
        return visit.withLock { visit in visit?.visitor.isCurrent == true ? visit?.transaction : nil }
    }

    /// Notes that the caller has passed the gate.
    func beginVisit(as visitor: Visitor) {
        visit.withLock { $0 = Visit(visitor: visitor) }
        isVisited.store(true, ordering: .relaxed)
    }

    /// Lets the next one in.
    ///
    /// - Returns: what to tell now that no lock is held.
    func endVisit() -> [@Sendable () -> Void] {
        isVisited.store(false, ordering: .relaxed)
        let told = visit.withLock { visit in
            let last = visit
            visit = nil
            return last?.told ?? []
        }
        gate.open()
        return told
    }

    /// Runs what tells a person of a failure: now, or when the caller's visit is over.
    package func tell(_ body: @escaping @Sendable () -> Void) {
        guard isVisited.load(ordering: .relaxed) else { return body() }
        let waits = visit.withLock { visit in
            guard visit?.visitor.isCurrent == true else { return false }
            visit?.told.append(body)
            return true
        }
        if !waits { body() }
    }

    /// Tells every log of a failure.
    func report(_ error: DefaultsError) {
        let logs = listeningLogs
        tell { logs.forEach { $0.report(error) } }
    }

    /// Tells every log of a failure that lasts, once.
    func reportStanding(_ error: DefaultsError) {
        // Noted where it is met: what mends it may be met before anything is told.
        let logs = listeningLogs.filter { $0.noteStanding(error) }
        if !logs.isEmpty { tell { logs.forEach { $0.report(error) } } }
    }
}
