import Observation
import TypedDefaults

/// Trackings of keys, with `withObservationTracking`.
extension Conversation {
    /// Tracks a key until its next change, of which a word is kept.
    ///
    /// The key is the same object each time, in a forked child too.
    mutating func track(_ name: String, _ word: String) {
        let key = trackedKeys[name] ?? int(name)
        trackedKeys[name] = key
        let events = events
        withObservationTracking {
            _ = Default(key).wrappedValue
        } onChange: {
            events.append(.string(word))
        }
    }

    /// The value of the same object, which may be a cached one.
    func trackedValue(of name: String) throws -> String {
        guard let key = trackedKeys[name] else { throw Misunderstood(line: name) }
        return "\(Defaults[key])"
    }
}
