import TestSupport
import TypedDefaults

/// What an observer was told of a number, for comparing.
struct Change: Hashable, Sendable, CustomStringConvertible {
    let old: Int
    let new: Int
    var isInitial = false

    var description: String { "\(old)->\(new)\(isInitial ? " initial" : "")" }
}

extension Change {
    init(_ change: Defaults.KeyChange<Int>) {
        self.init(old: change.oldValue, new: change.newValue, isInitial: change.isInitial)
    }
}

extension [Change] {
    /// Whether each old value is the new one before it.
    var isChain: Bool { zip(self, dropFirst()).allSatisfy { $0.new == $1.old } }
}

/// Observes a number for as long as a body runs.
func observing(
    _ key: Defaults.Key<Int>, options: Defaults.ObservationOptions = [],
    _ body: (Recorder<Change>) throws -> Void
) rethrows {
    let events = Recorder<Change>()
    let observation = Defaults.observe(key, options: options) { events.append(Change($0)) }
    try body(events)
    observation.invalidate()
}

/// Keeps an observation that its own handler has to reach.
final class Holder: Sendable {
    private let kept = Recorder<DefaultsObservation>()

    var observation: DefaultsObservation? {
        get { kept.all.last }
        set { if let newValue { kept.append(newValue) } }
    }
}
