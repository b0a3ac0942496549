import DefaultsStore

/// Where in the source a watch was begun, or what it is called.
struct WatchPlace: Hashable, Sendable {
    let id: String?
    let file: String
    private let position: [UInt]

    init(id: String?, file: StaticString, line: UInt, column: UInt) {
        self.id = id
        self.file = "\(file)"
        position = [line, column]
    }

    /// An identifier of one's own is the same wherever it stands.
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
    /// The one of this process.
    static let shared = WatchList()

    /// One watch that goes on.
    struct Watch: Sendable {
        fileprivate let path: PathIdentity
        let place: WatchPlace
        fileprivate let observation: DefaultsObservation
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
        /// When there are more targets than this, those that are gone are looked for.
        var limit = 64
    }

    private let state = Locked(State())  // Lock L7: protects the list; nothing is called under it.

    /// Keeps an observation for a target, in place of one begun at the same place for the same property.
    func keep<Target: Sendable>(
        _ observation: DefaultsObservation, of target: Target, _ keyPath: AnyKeyPath, _ place: WatchPlace
    ) -> DefaultsObservation {
        let identity = TargetIdentity(target)
        let owner = WatchTarget(target).owner
        if let object = owner.object { observation.tieToLifetime(of: object) }
        let watch = Watch(
            path: PathIdentity(path: keyPath), place: place, observation: observation, owner: owner)
        remove(identity) { $0.owner.isGone || $0.path == watch.path && $0.place == watch.place }
        let gone = state.withLock { state in
            state.watches[identity, default: []].append(watch)
            return state.watches.count > state.limit ? WatchList.sweep(&state) : []
        }
        withExtendedLifetime(gone) {}
        return observation
    }

    /// Ends some of a target's watches.
    ///
    /// - Returns: those that have ended.
    @discardableResult
    func remove(_ target: TargetIdentity, where isWanted: (Watch) -> Bool) -> [Watch] {
        // Compared outside the lock, since what a key path holds may have an `==` of its own.
        let wanted = state.withLock { $0.watches[target] ?? [] }.filter(isWanted)
        let ids = Set(wanted.map { ObjectIdentifier($0.observation) })
        state.withLock { state in
            state.watches[target]?.removeAll { ids.contains(ObjectIdentifier($0.observation)) }
            if state.watches[target]?.isEmpty == true { state.watches[target] = nil }
        }
        for watch in wanted { watch.observation.invalidate() }
        return wanted
    }

    /// Takes the watches of targets that are gone off the list.
    private static func sweep(_ state: inout State) -> [Watch] {
        let gone = state.watches.values.joined().filter(\.owner.isGone)
        state.watches = state.watches.mapValues { $0.filter { !$0.owner.isGone } }.filter {
            !$0.value.isEmpty
        }
        state.limit = max(64, state.watches.count * 2)
        return gone
    }
}

/// What makes two targets one.
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
