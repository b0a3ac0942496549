import DefaultsStore
import TypedDefaults

/// All watches of this process, by target.
final class WatchList: Sendable {
    /// The instance of this process.
    static let shared = WatchList()

    /// One active watch.
    struct Watch: Sendable {
        let path: WatchedPath
        let place: WatchPlace
        fileprivate let observation = WatchObservation()
        fileprivate let owner: WatchOwner
    }

    /// The watches of one target, by source location and property.
    private struct Watches {
        /// The owner of the latest watch: if it is released, so are all.
        var owner: WatchOwner
        var byPlace: [WatchPlace: [Int: [Watch]]] = [:]

        var all: [Watch] { byPlace.values.flatMap { $0.values.joined() } }

        /// The watches of one location and, nearly always, one property.
        func alike(_ place: WatchPlace, _ path: WatchedPath) -> [Watch] { byPlace[place]?[path.hash] ?? [] }

        mutating func add(_ watch: Watch) {
            owner = watch.owner
            byPlace[watch.place, default: [:]][watch.path.hash, default: []].append(watch)
        }

        mutating func replace(_ place: WatchPlace, _ path: WatchedPath, with rest: [Watch]) {
            byPlace[place]?[path.hash] = rest.isEmpty ? nil : rest
            if byPlace[place]?.isEmpty == true { byPlace[place] = nil }
        }
    }

    private struct State {
        var targets: [TargetIdentity: Watches] = [:]
        /// The number of targets above which those of released objects are removed.
        var limit = 64
    }

    private let state = Locked(State())  // Lock L7: protects the list; nothing is called under it.

    /// Begins a watch of a target, replacing one of the same location and property.
    ///
    /// It is on the list before it begins to observe, so that a handler can end it even in the initial event.
    func begin<Target: Sendable>(
        _ target: Target, _ keyPath: AnyKeyPath, _ place: WatchPlace,
        observing: (WatchObservation) -> DefaultsObservation
    ) -> DefaultsObservation {
        let identity = TargetIdentity(target)
        let owner = WatchTarget(target).owner
        let watch = Watch(path: WatchedPath(keyPath), place: place, owner: owner)
        add(watch, of: identity)
        let observation = DefaultsObservation(joining: [
            observing(watch.observation), listing(watch, of: identity),
        ])
        if let object = owner.object { observation.tieToLifetime(of: object) }
        watch.observation.take(observation)
        // Last, so that no change is lost between the two. Only watches before this one: another thread, or
        // its own initial event, may have begun a later one meanwhile, which replaces this one.
        let alike = state.withLock { $0.targets[identity]?.alike(place, watch.path) ?? [] }
        let own = alike.firstIndex { $0.observation === watch.observation } ?? 0
        end(alike[..<own].filter { $0.path == watch.path }, of: identity)
        return observation
    }

    /// Ends some of a target's watches.
    ///
    /// No lock is held while they are examined, because the content of a key path may have its own `==`.
    ///
    /// - Parameter ids: the wanted identifiers; nil for all watches.
    /// - Returns: whether there was one.
    func remove(_ target: TargetIdentity, ids: [String]? = nil, where isWanted: (Watch) -> Bool) -> Bool {
        let watches = state.withLock { state -> [Watch] in
            guard let watches = state.targets[target] else { return [] }
            guard let ids else { return watches.all }
            return Set(ids).flatMap { id in
                watches.byPlace[WatchPlace(id: id)].map { Array($0.values.joined()) } ?? []
            }
        }
        // Watches of an earlier object at this address end too, and are not in the result.
        let wanted = watches.filter { $0.owner.isGone || isWanted($0) }
        let isOne = wanted.contains { !$0.owner.isGone }
        end(wanted, of: target)
        return isOne
    }

    private func end(_ watches: [Watch], of target: TargetIdentity) {
        for watch in watches {
            drop(watch.observation, watch.place, watch.path, of: target)
            watch.observation.end()
        }
    }

    private func add(_ watch: Watch, of target: TargetIdentity) {
        let (before, others) = state.withLock { state -> (WatchOwner?, [TargetIdentity: WatchOwner]) in
            let before = state.targets[target]?.owner
            state.targets[target, default: Watches(owner: watch.owner)].add(watch)
            guard state.targets.count > state.limit else { return (before, [:]) }
            state.limit = .max
            return (before, state.targets.mapValues(\.owner))
        }
        // Without a lock, because the check of an owner may release it.
        if before?.isGone == true { sweep(target) }
        guard !others.isEmpty else { return }
        for (other, owner) in others where owner.isGone { sweep(other) }
        state.withLock { $0.limit = max(64, $0.targets.count * 2) }
    }

    /// Ends the watches of a released object; a new one at its address may have others.
    private func sweep(_ target: TargetIdentity) {
        let watches = state.withLock { $0.targets[target]?.all ?? [] }
        end(watches.filter(\.owner.isGone), of: target)
    }

    /// Removes a watch from the list.
    private func drop(
        _ observation: WatchObservation, _ place: WatchPlace, _ path: WatchedPath, of target: TargetIdentity
    ) {
        // The release of a watch may run user code, so it happens outside the lock.
        let dropped = state.withLock { state -> [Watch] in
            guard let alike = state.targets[target]?.alike(place, path) else { return [] }
            let rest = alike.filter { $0.observation !== observation }
            state.targets[target]?.replace(place, path, with: rest)
            if state.targets[target]?.byPlace.isEmpty == true { state.targets[target] = nil }
            return alike
        }
        withExtendedLifetime(dropped) {}
    }

    /// The entry of a watch's observation in the list: the end of the observation removes the watch.
    private func listing(_ watch: Watch, of target: TargetIdentity) -> DefaultsObservation {
        let silent = ObserverSubscription(
            keys: [], delivery: .immediate, lookup: { _, _ in nil }, handler: { _, _ in })
        // The closure must not retain the watch's observation.
        return DefaultsObservation(silent) {
            [place = watch.place, path = watch.path, weak observation = watch.observation] in
            if let observation { WatchList.shared.drop(observation, place, path, of: target) }
        }
    }
}

/// The observation of one watch, which may end before it has begun.
final class WatchObservation: Sendable {
    private struct State {
        var observation: DefaultsObservation?
        var isOver = false
    }

    private let state = Locked(State())  // Lock L7: protects the observation; nothing is called under it.

    /// Whether the watch has ended.
    var isOver: Bool { state.withLock { $0.isOver } }

    fileprivate func take(_ observation: DefaultsObservation) {
        let isOver = state.withLock { state in
            if !state.isOver { state.observation = observation }
            return state.isOver
        }
        if isOver { observation.invalidate() }
    }

    fileprivate func end() {
        let observation = state.withLock { state in
            state.isOver = true
            return state.observation.take()
        }
        observation?.invalidate()
    }
}
