/// What is open in this process: one core for each location, one store for each lock file.
enum SuiteRegistry {
    // Classes, because a new process pays for its first array of a struct type, but not for one of objects. Unchecked
    // is sound because only the initialiser sets the reference, and the runtime clears it atomically.
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
        // An array, because there are few, and the first dictionary of a type costs a process more than everything
        // else here.
        var cores: [WeakCore] = []
        var stores: [WeakStore] = []
    }

    private static let state = Locked(State())  // Lock L1: protects the lists; no file is touched under it.

    /// Returns the core of a location, shared by all handles that name it.
    ///
    /// - Parameter managed: the administrator's file; it counts from the first handle on that names one.
    static func core(
        named name: String, at location: SuiteLocation, managed: ManagedFile? = nil
    ) -> SuiteCore {
        let core = core(at: location, named: name, managed)
        // A handle that names the file by its path may have come first, and names no file.
        if let managed { core.takeUpManagedFile(managed) }
        return core
    }

    private static func core(
        at location: SuiteLocation, named name: String, _ managed: ManagedFile?
    ) -> SuiteCore {
        state.withLock { state in
            for known in state.cores where known.location == location {
                if let core = known.core { return core }
            }
            // Checked first, because removing nothing from an empty array is expensive in a new process.
            if state.cores.contains(where: { $0.core == nil }) { state.cores.removeAll { $0.core == nil } }
            let core = SuiteCore(name: name, location: location, managed: managed)
            state.cores.append(WeakCore(core, at: location))
            return core
        }
    }

    /// Returns the store of a location; two paths to one lock file lead to the same store.
    ///
    /// - Parameter isCurrent: asked, with no lock held, whether a store's lock file is still the one with its name.
    static func store(
        at location: SuiteLocation, isCurrent: (SuiteFiles) -> Bool = { $0.isCurrent() }
    ) throws(DefaultsError) -> SuiteStore {
        let files = try SuiteFiles.open(try SuiteDirectory.resolve(location))
        var (fresh, moved): (SuiteStore?, [SuiteStore]) = (nil, [])
        while true {
            let offered = fresh
            // What another thread has added while no lock was held is found here, before ours is added.
            let found = state.withLock { state -> Known? in
                if let known = known(files, besides: moved, in: &state) { return known }
                if let offered { state.stores.append(WeakStore(offered)) }
                return nil
            }
            if let found {
                guard let lock = found.lock, !isCurrent(lock) else { return found.store }
                // A store whose folder was moved away continues at its old path, which is not the one that was asked
                // for.
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

    /// An open store.
    private struct Known {
        let store: SuiteStore
        /// The files with its lock file; nil if there is none to compare.
        let lock: SuiteFiles?
    }

    /// Returns the first store of some files, except those that were found to be elsewhere.
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
