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
        let observation = observing(watch.observation)
        if let object = owner.object { observation.tieToLifetime(of: object) }
        watch.observation.take(observation)
        // Last, so that no change falls between the two.
        remove(identity) { other in
            let isBefore = other.path == watch.path && other.place == watch.place
            return other.owner.isGone || isBefore && other.observation !== watch.observation
        }
        return observation
    }

    /// Ends some of a target's watches.
    ///
    /// - Returns: those that have ended.
    @discardableResult
    func remove(_ target: TargetIdentity, where isWanted: (Watch) -> Bool) -> [Watch] {
        // Compared outside the lock, because what a key path contains may have an `==` of its own.
        let wanted = state.withLock { $0.watches[target] ?? [] }.filter(isWanted)
        let ids = Set(wanted.map { ObjectIdentifier($0.observation) })
        state.withLock { state in
            state.watches[target]?.removeAll { ids.contains(ObjectIdentifier($0.observation)) }
            if state.watches[target]?.isEmpty == true { state.watches[target] = nil }
        }
        for watch in wanted { watch.observation.end() }
        return wanted
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
        case value
    }

    private let type: ObjectIdentifier
    private let kind: Kind

    init<Target>(_ target: Target) {
        type = ObjectIdentifier(Target.self)
        if Target.self is AnyObject.Type {
            kind = .object(ObjectIdentifier(target as AnyObject))
        } else {
            kind = (target as? Defaults).map { .defaults($0.suite) } ?? .value
        }
    }
}
