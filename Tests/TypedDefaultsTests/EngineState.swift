@testable import DefaultsStore
import TestSupport
import Testing

/// What a test of typed access has to know of the engine below.
extension DefaultsSuite {
    /// How many threads wait for whoever is writing or has a transaction open.
    var waitingThreads: Int { get throws { try context.store().writer.waitingThreads } }

    /// Has writes plan no checkpoint any more, as if one were planned already.
    func holdBackCheckpoints() throws {
        try context.store().checkpointer.hold()
    }

    /// Brings the settings file up to date, and waits until every notice of that has been seen to: a read that comes
    /// later has nothing left to look at.
    func settle() throws {
        try checkpoint()
        // Two rounds, because one reads only as many notices as its buffer holds.
        for _ in 0..<2 {
            let round = Recorder<Void>()
            try EventLoop.shared.schedule(afterMilliseconds: 0, on: .path("a test's round")) {
                round.append(())
            }
            #expect(round.wait(for: 1))
        }
        #expect(eventually { WorkerPool.shared.isQuiet })
    }
}
