/// What is open in this process: one core for each place, one store for each lock file.
enum SuiteRegistry {
    // Classes, since a new process pays for the first list of a structure, and not for one of objects. Unchecked is sound
    // because nobody sets the reference but the initialiser, and the runtime clears it atomically.
    private final class WeakCore: @unchecked Sendable {
        let location: SuiteLocation
        private(set) weak var core: SuiteCore?

        init(_ core: SuiteCore, at location: SuiteLocation) { (self.core, self.location) = (core, location) }
    }

    // Unchecked is sound because of the same.
    private final class WeakStore: @unchecked Sendable {
        private(set) weak var store: SuiteStore?

        init(_ store: SuiteStore) { self.store = store }
    }

    private struct State {
        // A list, since there are few, and the first dictionary of a type costs a process more than all else here.
        var cores: [WeakCore] = []
        var stores: [WeakStore] = []
    }

    private static let state = Locked(State())  // Lock L1: protects the lists; no file is touched under it.

    /// The core of a place, shared by all handles that name it.
    ///
    /// - Parameter managed: the administrator's file, for the first to name the place.
    static func core(
        named name: String, at location: SuiteLocation, managed: ManagedFile? = nil
    ) -> SuiteCore {
        state.withLock { state in
            for known in state.cores where known.location == location {
                if let core = known.core { return core }
            }
            // Asked first, since to take nothing from an empty list is dear in a new process.
            if state.cores.contains(where: { $0.core == nil }) { state.cores.removeAll { $0.core == nil } }
            let core = SuiteCore(name: name, location: location, managed: managed)
            state.cores.append(WeakCore(core, at: location))
            return core
        }
    }

    /// The store of a place; two paths to one lock file lead to the same one.
    ///
    /// - Parameter isCurrent: asked, with no lock held, whether a store's lock file is still the one with its name.
    static func store(
        at location: SuiteLocation, isCurrent: (SuiteFiles) -> Bool = { $0.isCurrent() }
    ) throws(DefaultsError) -> SuiteStore {
        let files = try SuiteFiles.open(try SuiteDirectory.resolve(location))
        var (fresh, moved): (SuiteStore?, [SuiteStore]) = (nil, [])
        while true {
            let offered = fresh
            // Whatever another thread has added while none was held is found here before ours is.
            let found = state.withLock { state -> Known? in
                if let known = known(files, besides: moved, in: &state) { return known }
                if let offered { state.stores.append(WeakStore(offered)) }
                return nil
            }
            if let found {
                guard let lock = found.lock, !isCurrent(lock) else { return found.store }
                // A store whose folder was moved away goes on at its old place, which is not the one that was asked for.
                moved.append(found.store)
            } else if let offered {
                return offered
            } else {
                fresh = SuiteStore(files: files)
            }
        }
    }

    /// The stores that are open in this process.
    static var openStores: [SuiteStore] {
        state.withLock { $0.stores.compactMap { $0.store }.filter { !$0.isInherited } }
    }

    /// A store that is open.
    private struct Known {
        let store: SuiteStore
        /// The files of its lock file; nil where there is none to compare.
        let lock: SuiteFiles?
    }

    /// The first store of some files, but for those that were found to be elsewhere.
    private static func known(
        _ files: SuiteFiles, besides moved: [SuiteStore], in state: inout State
    ) -> Known? {
        let isGone = { (known: WeakStore) in known.store?.isInherited ?? true }
        if state.stores.contains(where: isGone) { state.stores.removeAll(where: isGone) }
        for case let store? in state.stores.lazy.map(\.store) where !moved.contains(where: { $0 === store }) {
            let present = store.published.load().files
            guard let mine = files.lockIdentity, let other = present?.lockIdentity else {
                if store.location == files.location { return Known(store: store, lock: nil) }
                continue
            }
            if mine.isSameFile(as: other) { return Known(store: store, lock: present) }
        }
        return nil
    }
}
