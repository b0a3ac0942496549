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
            state.cores.removeAll { $0.core == nil }
            let core = SuiteCore(name: name, location: location, managed: managed)
            state.cores.append(WeakCore(core, at: location))
            return core
        }
    }

    /// The store of a place; two paths to one lock file lead to the same one.
    static func store(at location: SuiteLocation) throws(DefaultsError) -> SuiteStore {
        let files = try SuiteFiles.open(try SuiteDirectory.resolve(location))
        if let known = state.withLock({ known(files, in: &$0) }) { return known }
        let fresh = SuiteStore(files: files)
        return state.withLock { state in
            if let known = known(files, in: &state) { return known }
            state.stores.append(WeakStore(fresh))
            return fresh
        }
    }

    /// The stores that are open in this process.
    static var openStores: [SuiteStore] {
        state.withLock { $0.stores.compactMap(\.store).filter { !$0.isInherited } }
    }

    private static func known(_ files: SuiteFiles, in state: inout State) -> SuiteStore? {
        state.stores.removeAll { $0.store?.isInherited ?? true }
        return state.stores.lazy.compactMap(\.store).first { store in
            guard let mine = files.lockIdentity, let other = store.published.load().files?.lockIdentity else {
                return store.location == files.location
            }
            // A store whose folder was moved away goes on at its old place, which is not the one that was asked for.
            return mine.isSameFile(as: other) && store.published.load().files?.isCurrent() == true
        }
    }
}
