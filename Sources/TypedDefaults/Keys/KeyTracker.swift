import DefaultsStore
import Observation
import Synchronization

/// A key as `withObservationTracking` sees it: registers its tracked reads and notifies their trackings of a
/// change.
///
/// The `Observation` module does not reveal whether a read is being tracked. But it puts the key path of a
/// tracked read into a set, and drops the key path when the tracking ends. So this object's key paths contain
/// two objects. One notes when it is hashed, which reveals a tracked read. The other lives as long as a
/// tracking.
final class KeyTracker: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let probe = Probe()
    private let path: any KeyPath<KeyTracker, Void> & Sendable
    /// The observation of the key, which trackings keep alive.
    // A leaf; nothing is called under it.
    private let interest = Locked(WeakInterest())

    private struct WeakInterest {
        weak var object: Interest?
    }

    init() { path = \KeyTracker[probe: probe] }

    /// The tracker of a key in a suite that replaces the key's own.
    static func ofKey(_ name: KeyName, in context: SuiteContext) -> KeyTracker {
        let belongings = context.belongings
        if let known = belongings.object(name, KeyTracker.self) as? KeyTracker { return known }
        let fresh = KeyTracker()
        return belongings.keep(fresh, name, KeyTracker.self) as? KeyTracker ?? fresh
    }

    /// Registers the caller's tracking, if there is one, for the next change.
    ///
    /// - Cost: without a tracking, one read of a thread-local variable.
    /// - Parameter observe: starts an observation of the key that calls ``notifyReaders()``.
    func recordRead(_ observe: () -> DefaultsObservation) {
        // In a forked child, another thread of the parent may have the registrar's lock for ever.
        guard !Fork.isRefused else { return }
        let before = probe.hashings.load(ordering: .relaxed)
        registrar.access(self, keyPath: path)
        // The hashing may belong to another thread's read; this thread then starts an observation that ends
        // at once.
        guard probe.hashings.load(ordering: .relaxed) != before else { return }
        let interest = interest.withLock { $0.object } ?? begin(observe)
        registrar.access(self, keyPath: \KeyTracker[interest: interest])
    }

    /// Notifies every tracking that has read the key.
    func notifyReaders() { registrar.withMutation(of: self, keyPath: path) {} }

    /// Starts an observation; two threads that start at once have two, and both are notified.
    private func begin(_ observe: () -> DefaultsObservation) -> Interest {
        let fresh = Interest(observe())
        interest.withLock { $0.object = fresh }
        return fresh
    }

    private subscript(probe probe: Probe) -> Void { () }
    private subscript(interest interest: Interest) -> Void { () }
}

/// Reveals that a key path was put into a set.
private final class Probe: Hashable, Sendable {
    let hashings = Atomic<Int>(0)

    static func == (left: Probe, right: Probe) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
        hashings.add(1, ordering: .relaxed)
        hasher.combine(ObjectIdentifier(self))
    }
}

/// An observation that ends soon after the last key path that holds this object.
private final class Interest: Hashable, Sendable {
    private let observation: DefaultsObservation

    init(_ observation: DefaultsObservation) { self.observation = observation }

    // On another thread, because this may run under a lock of the `Observation` module.
    deinit { WorkerPool.shared.run { [observation] in observation.invalidate() } }

    static func == (left: Interest, right: Interest) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
