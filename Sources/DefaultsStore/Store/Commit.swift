/// A commit of this process that has begun: until it is over, no load publishes anything.
///
/// It is over with the state that it publishes, or, without one, where its value ends: after a failure nothing is left to
/// be undone.
struct Commit: ~Copyable {
    private let store: SettingsStore
    private var isOpen = true

    /// Begins a commit.
    ///
    /// - Returns: nil if a load has published a save since the state that the commit is based on, which it would take
    ///   back.
    init?(on base: StoreSnapshot, in store: SettingsStore) {
        self.store = store
        store.setCommitting(true)
        let latest = store.latest
        if base !== latest, !base.hasValues(of: latest) { return nil }
    }

    /// Posts what has changed to the observers.
    consuming func publish(_ state: StoreSnapshot, after request: WriteRequest) {
        store.publish(state, after: request)
        isOpen = false
    }

    /// Posts to the observers what another program has saved.
    ///
    /// - Returns: the observers that have something to deliver.
    consuming func publish(edited state: StoreSnapshot) -> [ObserverSubscription] {
        isOpen = false
        return store.publish(edited: state)
    }

    /// The commit changes no value.
    consuming func publish(_ state: StoreSnapshot) {
        store.publish(state)
        isOpen = false
    }

    deinit {
        if isOpen { store.setCommitting(false) }
    }
}
