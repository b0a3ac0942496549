import Synchronization

/// The thread that has passed a store's gate, the transaction it has open, and what is to be reported when it leaves.
struct Visit: Sendable {
    /// The thread inside: the one that began the visit, then the one that ends it, which may be another.
    var visitor: Visitor
    /// The open transaction; nil while it begins and while it ends, when nothing can join it.
    var transaction: OpenTransaction?
    /// Reports of failures inside: they run user code, so they are made after the locks are released.
    var told: [@Sendable () -> Void] = []
}

/// Who is inside the gate, and how to report without running user code there.
extension SuiteStore {
    /// Returns the transaction that the calling thread and task have open, if any.
    ///
    /// - Cost: one load if nobody is inside.
    package func joined() -> OpenTransaction? {
        // A thread with an open transaction has set this before, or was handed what another thread had set.
        guard isVisited.load(ordering: .relaxed) else { return nil }
        return visit.withLock { visit in visit?.visitor.isCurrent == true ? visit?.transaction : nil }
    }

    /// Notes that the caller has passed the gate.
    func beginVisit(as visitor: Visitor) {
        visit.withLock { $0 = Visit(visitor: visitor) }
        isVisited.store(true, ordering: .relaxed)
    }

    /// Opens the gate for the next thread.
    ///
    /// - Returns: what to report now that no lock is held.
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

    /// Runs people's code, such as what they do about failures: when the caller's visit is over, and the library's own
    /// work that it may be part of.
    package func tell(_ body: @escaping @Sendable () -> Void) {
        afterVisit { Courier.shared.tell(body) }
    }

    /// Runs a body now, or when the caller's visit is over.
    func afterVisit(_ body: @escaping @Sendable () -> Void) {
        guard isVisited.load(ordering: .relaxed) else { return body() }
        let waits = visit.withLock { visit in
            guard visit?.visitor.isCurrent == true else { return false }
            visit?.told.append(body)
            return true
        }
        if !waits { body() }
    }

    /// Reports a failure to every log.
    func report(_ error: DefaultsError) {
        let logs = listeningLogs
        tell { logs.forEach { $0.report(error) } }
    }

    /// Reports a lasting failure to every log, once until ``noteSuccess(of:)``.
    func reportStanding(_ error: DefaultsError, in matter: StandingFailures.Matter? = nil) {
        // Noted right here: it may be resolved before anything is reported.
        let logs = listeningLogs.filter { $0.noteStanding(error, in: matter) }
        if !logs.isEmpty { tell { logs.forEach { $0.report(error) } } }
    }

    /// Prints a lasting failure that nobody has been told, to whoever has asked for none: when the program ends, people's
    /// code is not run any more.
    func printStanding(_ error: DefaultsError, in matter: StandingFailures.Matter) {
        for log in listeningLogs where !log.isHeard && log.noteStanding(error, in: matter) {
            log.report(error)
        }
    }

    /// Reports all lasting failures of a matter that was looked at as a whole, each once; others of it are over.
    func reportStanding(only errors: [DefaultsError], in matter: StandingFailures.Matter) {
        guard !errors.isEmpty || FailureLog.isAnyStanding else { return }
        for log in listeningLogs {
            let fresh = log.noteStanding(only: errors, in: matter)
            if !fresh.isEmpty { tell { fresh.forEach { log.report($0) } } }
        }
    }

    /// Forgets the lasting failures of what has succeeded now, so that the next ones are reported.
    func noteSuccess(of matter: StandingFailures.Matter) {
        guard FailureLog.isAnyStanding else { return }
        for log in listeningLogs { log.forgetStanding(in: matter) }
    }
}
