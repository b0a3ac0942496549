import Foundation
import TypedDefaults

/// Follows the suite and switches the heating, until it is told to end.
struct Daemon {
    private let suite = DefaultsSuite.standard
    /// What the sensor says.
    private let measured = 18.5

    /// Runs until SIGTERM or SIGINT.
    func run() throws {
        let end = DispatchSemaphore(value: 0)
        let signals = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { end.signal() }
            source.activate()
            return source
        }
        try takeOffice()
        // The initial event is for the order that came while no daemon ran.
        let observation = suite.observe(.order) { _ in carryOut() }
        end.wait()
        signals.forEach { $0.cancel() }
        observation.invalidate()
        try leaveOffice()
    }

    /// Two daemons that start at once cannot both find the place empty: a transaction is atomic between processes.
    private func takeOffice() throws {
        try suite.withTransaction { tx in
            // One that was killed may have had this very id: in a container all daemons may have the same.
            if let other = tx[.daemon], other != getpid(), isRunning(other) {
                throw Refusal(description: "process \(other) is the daemon already")
            }
            tx[.daemon] = getpid()
        }
    }

    /// Carries out the newest order, which may be a later one than that of the event, and says which it was.
    private func carryOut() {
        let now = suite.snapshot()
        say("daemon: \(now[.target]) degrees wanted, \(measured) measured")
        do {
            try suite.withTransaction { tx in
                tx[.heating] = measured < now[.target]
                tx[.carriedOut] = now[.order]
            }
        } catch {
            say("daemon: the order is not carried out: \(error)")
        }
    }

    private func leaveOffice() throws {
        try suite.withTransaction { tx in
            tx[.heating] = false
            tx[.daemon] = nil
        }
        say("daemon: the heating is off, goodbye")
    }
}
