import Synchronization

/// An active observation.
///
/// It ends with ``invalidate()``, with its last reference, or with the object that it is tied to.
public final class DefaultsObservation: Sendable {
    let parts: [Part]

    /// One observer, and how to remove it from its list.
    struct Part: Sendable {
        let subscription: ObserverSubscription
        let remove: @Sendable () -> Void

        var id: ObjectIdentifier { ObjectIdentifier(subscription) }
    }

    /// - Parameter remove: removes the observer from its list; keeps the owner of the list alive.
    package init(_ subscription: ObserverSubscription, remove: @escaping @Sendable () -> Void) {
        parts = [Part(subscription: subscription, remove: remove)]
    }

    /// Creates an observation of several observers that end together.
    package init(joining observations: [DefaultsObservation]) {
        parts = observations.flatMap(\.parts)
        // They belong to this object now, and must not end with their original ones.
        for observation in observations { observation.isJoined.store(true, ordering: .relaxed) }
    }

    private let isJoined = Atomic<Bool>(false)

    deinit {
        guard !isJoined.load(ordering: .relaxed) else { return }
        for part in parts where !part.subscription.isTied { DefaultsObservation.end(part) }
    }

    private static func end(_ part: Part) {
        part.subscription.end()
        part.remove()
    }

    /// Ends the observation: no call of the handler begins after this returns.
    ///
    /// A call in progress continues, and is not waited for.
    ///
    /// It may be called from any thread, more than once, and from the handler itself.
    public func invalidate() {
        parts.forEach(DefaultsObservation.end)
        LifetimeTies.shared.forget(parts)
    }

    /// Ends those observers whose object is gone.
    ///
    /// - Returns: whether all have ended, now or before.
    static func endIfOrphaned(_ parts: [Part]) -> Bool {
        let ended = parts.filter { $0.subscription.endIfOrphaned() }
        for part in ended { part.remove() }
        return ended.count == parts.count
    }

    /// Makes the observation last exactly as long as an object: the library keeps the observation, and no event is
    /// delivered after the object is gone.
    ///
    /// A weak reference to it therefore stays until the object is gone, or until you end or untie the observation.
    ///
    /// A second call ties it to another object instead.
    ///
    /// The handler and what it captured are released soon after the object. Swift does not notify of an object's end, so
    /// the library looks for it: within a second while the program runs, writes, observes or is told of a change. In a
    /// program that sleeps it looks ever more rarely, so as not to wake it for nothing: an end in the middle of that is
    /// found after about as long as the program had slept, and after a minute at most. `invalidate()` releases both at
    /// once.
    ///
    /// The handler must not keep the object alive, so capture it weakly.
    @discardableResult
    public func tieToLifetime(of owner: AnyObject) -> DefaultsObservation {
        for part in parts { part.subscription.tie(to: owner) }
        LifetimeTies.shared.add(self)
        return self
    }

    /// Unties the observation: it then lasts as long as its last reference.
    public func removeLifetimeTie() {
        for part in parts { part.subscription.tie(to: nil) }
        LifetimeTies.shared.forget(parts)
    }
}

extension DefaultsObservation: CustomReflectable {
    /// The keys: a dump shows no value.
    @_documentation(visibility: internal)
    public var customMirror: Mirror {
        let keys = parts.flatMap(\.subscription.keys).map(\.string)
        return Mirror(self, children: ["keys": keys], displayStyle: .class)
    }
}
