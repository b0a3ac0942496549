/// What is open in this process: one context for each location, one store for each lock file.
enum SuiteRegistry {
    // Lock L1: each protects its list. Files are looked at, and what was found is released, with no lock held.
    private static let contexts = WeakList<SuiteContext>()
    private static let stores = WeakList<SettingsStore>()

    /// Returns the context of a location, shared by all handles that name it.
    ///
    /// - Parameter managed: the administrator's file; it applies from the first handle on that names one.
    static func context(
        named name: String, at location: SuiteLocation, managed: ManagedFile? = nil
    ) -> SuiteContext {
        let context = contexts.first {
            $0.location == location
        } orAdd: {
            SuiteContext(name: name, location: location, managed: managed)
        }
        // A handle that names the file by its path may have come first, and names no file.
        if let managed { context.takeUpManagedFile(managed) }
        return context
    }

    /// Returns the store of a location; two paths to one lock file lead to the same store.
    ///
    /// A store whose folder was moved away continues at its old path, which is not the one that was asked for.
    ///
    /// - Parameter isCurrent: whether a store's lock file is still the one with its name.
    static func store(
        at location: SuiteLocation, isCurrent: (SuiteFiles) -> Bool = { $0.isCurrent() }
    ) throws(DefaultsError) -> SettingsStore {
        let files = try SuiteFiles.open(try SuiteDirectory.resolve(location))
        return stores.first { store in
            guard let mine = files.lockIdentity, let known = store.latest.files,
                let other = known.lockIdentity
            else { return store.location == files.location }
            guard known.location.isReadOnly == files.location.isReadOnly else { return false }
            return mine.isSameFile(as: other) && isCurrent(known)
        } orAdd: {
            SettingsStore(files: files)
        }
    }

    static var openStores: [SettingsStore] { stores.objects }
}
