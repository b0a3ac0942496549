import Libc
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

    /// Has a tracking of a key fire.
    ///
    /// - Returns: whether the key, which only the observation behind the tracking keeps, goes then.
    func trackToTheEnd(_ name: String) -> String {
        weak var tracked: Defaults.Key<Int>?
        do {
            let key = int(name)
            tracked = key
            withObservationTracking {
                _ = Default(key).wrappedValue
            } onChange: {
            }
            Defaults[key] += 1
        }
        let deadline = ContinuousClock.now + .seconds(10)
        while tracked != nil {
            guard ContinuousClock.now < deadline else { return "kept" }
            poll(nil, 0, 5)
        }
        return "gone"
    }
}
