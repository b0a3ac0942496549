import DefaultsStore

/// Where in the source a watch was begun, or its identifier.
struct WatchPlace: Hashable, Sendable {
    let id: String?
    let file: String
    private let position: [UInt]

    init(id: String?, file: StaticString, line: UInt, column: UInt) {
        self.id = id
        self.file = "\(file)"
        position = [line, column]
    }

    /// Compares two places; the same identifier is the same wherever it is used.
    static func == (left: WatchPlace, right: WatchPlace) -> Bool {
        left.id == right.id && (left.id != nil || left.file == right.file && left.position == right.position)
    }

    /// Hashes what `==` compares.
    func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        guard id == nil else { return }
        hasher.combine(file)
        hasher.combine(position)
    }
}

/// All watches of this process, by target.
final class WatchList: Sendable {
    /// The instance of this process.
    static let shared = WatchList()

    /// One active watch.
    struct Watch: Sendable {
        fileprivate let path: PathIdentity
        let place: WatchPlace
        fileprivate let observation = WatchObservation()
        fileprivate let owner: WatchOwner

        /// Whether it watches that property.
        func isOf(_ keyPath: AnyKeyPath) -> Bool { path == PathIdentity(path: keyPath) }
    }

    // Unchecked is sound because a key path never changes, and this one is only compared.
    fileprivate struct PathIdentity: Hashable, @unchecked Sendable {
        let path: AnyKeyPath
    }

    private struct State {
        var watches: [TargetIdentity: [Watch]] = [:]
        /// If there are more targets than this, those that are gone are removed.
        var limit = 64
    }

    private let state = Locked(State())  // Lock L7: protects the list; nothing is called under it.

    /// Begins a watch of a target, replacing one begun at the same place for the same property.
    ///
    /// It is on the list before it begins to observe, so that a handler can end it even in the initial event.
    func begin<Target: Sendable>(
        _ target: Target, _ keyPath: AnyKeyPath, _ place: WatchPlace,
        observing: (WatchObservation) -> DefaultsObservation
    ) -> DefaultsObservation {
        let identity = TargetIdentity(target)
        let owner = WatchTarget(target).owner
        let watch = Watch(path: PathIdentity(path: keyPath), place: place, owner: owner)
        let gone = state.withLock { state in
            state.watches[identity, default: []].append(watch)
            return state.watches.count > state.limit ? WatchList.sweep(&state) : []
        }
        withExtendedLifetime(gone) {}
        let observation = DefaultsObservation(joining: [
            observing(watch.observation), listing(watch.observation, of: identity),
        ])
        if let object = owner.object { observation.tieToLifetime(of: object) }
        watch.observation.take(observation)
        // Last, so that no change falls between the two. Only what is before this watch: another thread, or its
        // own initial event, may have begun a later one meanwhile, which replaces this one.
        let watches = watchesOf(identity)
        let own = watches.firstIndex { $0.observation === watch.observation } ?? 0
        end(watches[..<own], of: identity) { $0.path == watch.path && $0.place == watch.place }
        return observation
    }

    /// Ends some of a target's watches.
    ///
    /// - Returns: whether there was one.
    func remove(_ target: TargetIdentity, where isWanted: (Watch) -> Bool) -> Bool {
        end(watchesOf(target)[...], of: target, where: isWanted)
    }

    private func watchesOf(_ target: TargetIdentity) -> [Watch] {
        state.withLock { $0.watches[target] ?? [] }
    }

    /// Ends some watches of a target, and those of an earlier object at its address, which nobody counts.
    ///
    /// No lock is held, because what a key path contains may have an `==` of its own.
    @discardableResult
    private func end(
        _ watches: ArraySlice<Watch>, of target: TargetIdentity, where isWanted: (Watch) -> Bool
    ) -> Bool {
        let wanted = watches.filter { $0.owner.isGone || isWanted($0) }
        drop(Set(wanted.map { ObjectIdentifier($0.observation) }), of: target)
        for watch in wanted { watch.observation.end() }
        return wanted.contains { !$0.owner.isGone }
    }

    /// Removes watches from the list.
    private func drop(_ ids: Set<ObjectIdentifier>, of target: TargetIdentity) {
        // Releasing what a watch keeps may run user code, so it leaves the lock first.
        let dropped = state.withLock { state -> [Watch] in
            guard let watches = state.watches[target] else { return [] }
            let rest = watches.filter { !ids.contains(ObjectIdentifier($0.observation)) }
            state.watches[target] = rest.isEmpty ? nil : rest
            return watches
        }
        withExtendedLifetime(dropped) {}
    }

    /// The part of a watch's observation that is about the list: whatever ends the observation removes the watch.
    private func listing(_ watch: WatchObservation, of target: TargetIdentity) -> DefaultsObservation {
        let silent = Subscription(
            keys: [], delivery: .immediate, lookup: { _, _ in nil }, handler: { _, _ in })
        return DefaultsObservation(silent) { [weak watch] in
            if let watch { WatchList.shared.drop([ObjectIdentifier(watch)], of: target) }
        }
    }

    /// Removes the watches of targets that are gone from the list.
    private static func sweep(_ state: inout State) -> [Watch] {
        let gone = state.watches.values.joined().filter(\.owner.isGone)
        state.watches = state.watches.mapValues { $0.filter { !$0.owner.isGone } }.filter {
            !$0.value.isEmpty
        }
        state.limit = max(64, state.watches.count * 2)
        return gone
    }
}

/// The observation of one watch, which may be ended before it has quite begun.
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

/// What makes two targets the same.
struct TargetIdentity: Hashable, Sendable {
    private enum Kind: Hashable {
        case object(ObjectIdentifier)
        case defaults(DefaultsSuite)
        /// All values of a type are one target.
        case value(ObjectIdentifier)
    }

    private let kind: Kind

    /// An object is the same target whatever its static type is: in a method of a base class it is that class.
    init<Target>(_ target: Target) {
        if Target.self is AnyObject.Type {
            kind = .object(ObjectIdentifier(target as AnyObject))
        } else {
            kind =
                (target as? Defaults).map { .defaults($0.suite) } ?? .value(ObjectIdentifier(Target.self))
        }
    }
}
