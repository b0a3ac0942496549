import Foundation
import Measuring
import Synchronization
import TypedDefaults

extension Bench {
    /// Item 11: how soon another process's set is seen.
    func betweenProcesses() throws -> [Row] { try polled() + [try systemCallsOfGet()] + observed() }

    /// This process gets one key again and again while another sets it.
    private func polled() throws -> [Row] {
        let stamps = try Stamps(bench: self, name: "polled", count: 2000, pause: 500)
        var (last, seen, stale) = (0, 0, 0)
        let peer = try stamps.start()
        while last < stamps.count {
            let finished = stamps.finished
            let value = Defaults[stamps.key]
            let now = Clock.now()
            if finished > 0, value < stamps.begin(finished - 1) { stale += 1 }
            guard value != seen else { continue }
            (last, seen) = (stamps.saw(value, at: now, after: last), value)
        }
        try peer.finish()
        let late = stamps.delays(from: .end)
        return [
            Row(
                item: 11, what: "gets that missed a set that had returned elsewhere",
                ours: .count(Double(stale), "stale"), peer: nil, goal: .limit(0)),
            Row(
                item: 11, what: "from a set's return to a polling get that gives it, median",
                ours: .time(late.median, note: ", 99 % \(duration(late.percentile(99)))"), peer: nil,
                goal: .limit(1000)),
        ]
    }

    private func observed() throws -> [Row] {
        let stamps = try Stamps(bench: self, name: "observed", count: 1000, pause: 2000)
        let done = DispatchSemaphore(value: 0)
        let place = Mutex(0)
        let observation = Defaults.observe(stamps.key, options: []) { change in
            let now = Clock.now()
            let last = place.withLock { place in
                place = stamps.saw(change.newValue, at: now, after: place)
                return place
            }
            if last == stamps.count { done.signal() }
        }
        let peer = try stamps.start()
        try peer.finish()
        let isComplete = done.wait(timeout: .now() + 10) == .success
        observation.invalidate()
        guard isComplete else { throw SystemFailure(waitingFor: "the last set's event") }
        let late = stamps.delays(from: .begin)
        let bare = try bareNotices()
        return [(50.0, 4.0), (99, 3)].map { percent, most in
            Row(
                item: 11,
                what: "from a set's begin to the waiting observer's call, \(decimal(percent, 0)) % / "
                    + "the bare system calls and the kernel's notification",
                ours: .time(late.percentile(percent)), peer: .time(bare.percentile(percent)),
                goal: .atMost(most))
        }
    }
}
