import Foundation
import TypedDefaults

/// The commands that speak to the daemon.
struct Control {
    private let suite = DefaultsSuite.standard

    /// Gives an order and waits until the daemon says that it is carried out.
    func set(_ target: Double) throws {
        // Both in one transaction: nobody sees the number of an order without what it orders.
        let order = try suite.withTransaction { tx in
            tx[.target] = target
            // A file may have the last number that there is; the least comes after it.
            tx[.order] &+= 1
            return tx[.order]
        }
        let isCarriedOut = DispatchSemaphore(value: 0)
        let observation = suite.observe(.carriedOut) { change in
            // By their distance, which is right beyond that end too.
            if change.newValue &- order >= 0 { isCarriedOut.signal() }
        }
        defer { observation.invalidate() }
        guard isCarriedOut.wait(timeout: .now() + 10) == .success else {
            throw Refusal(description: "the order is kept, but there is no daemon to carry it out")
        }
        status()
    }

    /// Says how things are at one moment.
    func status() {
        let now = suite.snapshot()
        let daemon = now[.daemon].map { isRunning($0) ? "the daemon runs" : "the daemon was killed" }
        say(
            "\(now[.target]) degrees wanted, the heating is \(now[.heating] ? "on" : "off"), "
                + (daemon ?? "no daemon runs"))
    }
}
