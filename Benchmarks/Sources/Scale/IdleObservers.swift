import Foundation
import Measuring
import TypedDefaults

/// Processes that do nothing but observe.
extension Stage {
    /// How often an idle process is awake whose observer is tied to an object, and one whose observer is not.
    func idleObservers() throws -> [Row] {
        let parts: [Part.Name] = [.observeTied, .observe, .observed]
        let place = try makeSuite("idle", keys: extent.keys.small).folder
        let idle = try parts.map { try start($0, in: place) }
        defer { for child in idle { child.kill() } }
        // Until what an opening leaves to do in the background is done.
        pause(seconds: min(8, extent.rare))
        let counts = idle.map { ProcessCounts(of: $0.processID) }
        let before = try counts.map { try $0.wakeUps() }
        pause(seconds: extent.rare)
        let wakeUps = try zip(counts, before).map { Double(try $0.wakeUps() - $1) / extent.rare }
        let control = Figure.count(wakeUps[2])
        return [("a tied observer", 0), ("an observer", 1)].map { name, place in
            Row(
                what: "wake-ups a second of an idle process with \(name)", figure: .count(wakeUps[place]),
                beside: "one that ended", control: control)
        }
    }

    /// The most threads of a process with one observer while another one writes without a pause.
    func observersThreads() throws -> [Row] {
        let alone = try threads(whileWriting: false)
        let beside = try threads(whileWriting: true)
        return [
            Row(
                what: "threads of an observer's process while another one writes without a pause",
                figure: .count(Double(beside)), beside: "none writes", control: .count(Double(alone)))
        ]
    }

    private func threads(whileWriting isWriting: Bool) throws -> Int {
        let place = try makeSuite("threads", keys: extent.keys.small).folder
        let observing = try start(.observe, in: place)
        defer { observing.kill() }
        pause(seconds: 0.2)
        let writing = isWriting ? try start(.writeTightly, in: place) : nil
        defer { writing?.kill() }
        let counts = ProcessCounts(of: observing.processID)
        let end = Clock.now() + Int(extent.seconds * 1e9)
        var most = 0
        while Clock.now() < end {
            most = max(most, try counts.threads())
            Clock.pause(microseconds: 2000)
        }
        return most
    }

    /// Does nothing for a while.
    func pause(seconds: Double) { Clock.pause(microseconds: Int(seconds * 1e6)) }
}

extension Part {
    /// Observes a key with a handler that does next to nothing, in the manner given, and then does nothing.
    func stayIdle(_ manner: (DefaultsObservation, AnyObject) -> Void) throws {
        final class Owner {}
        let owner = Owner()
        let key = Defaults.Key<Int>("tight", default: 0, suite: try suite)
        let observation = Defaults.observe(key) { blackHole($0.newValue) }
        manner(observation, owner)
        withExtendedLifetime((owner, observation)) { stay() }
    }
}
