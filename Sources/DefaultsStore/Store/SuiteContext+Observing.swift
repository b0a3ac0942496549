/// Observation of keys by their texts, on which both the untyped and the typed observers are built.
extension SuiteContext {
    /// Starts an observation.
    ///
    /// The handler gets texts; nil means that only the key's own default can answer.
    ///
    /// If the store cannot be opened, that is reported, and after the initial event the observer is notified of nothing
    /// until it has been opened.
    ///
    /// - Parameters:
    ///   - deliversValues: whether its handler is given values, which form a chain; see ``ObserverSubscription/deliversValues``.
    ///   - lookup: finds the text of a key for this observer; nil for the effective text.
    package func observe(
        _ keys: [KeyName], sendsInitial: Bool, deliversValues: Bool = true, delivery: DefaultsDelivery,
        lookup: ObserverSubscription.Lookup? = nil, handler: @escaping ObserverSubscription.Handler
    ) -> DefaultsObservation {
        let subscription = ObserverSubscription(
            keys: SuiteContext.distinct(keys), deliversValues: deliversValues, delivery: delivery,
            lookup: lookup ?? self.lookup,
            lower: { [domains] key, text, values in
                domains.load().below(text, of: key, stored: values.value(forKey: key))
            },
            reportEndless: { [weak self] in self?.reportEndless(keys) },
            handler: SuiteReplacement.binding(handler))
        return start(subscription, sendsInitial: sendsInitial)
    }

    /// Finds the effective text; no type is asked, because that happens under the hub's lock.
    private var lookup: ObserverSubscription.Lookup {
        { [domains, catalogue] key, values in
            let list = domains.load()
            let stored = values.value(forKey: key)
            if list.isBare, !RefusedTexts.areAny { return stored }
            return list.first(key, stored: stored, except: catalogue.declaration(key)?.refused)
        }
    }

    /// Returns each key once: one that is named twice is still one key of the observer.
    private static func distinct(_ keys: [KeyName]) -> [KeyName] {
        // Most observers have one, and a process pays for its first set of a type as for opening a suite.
        guard keys.count > 1 else { return keys }
        var seen: Set<KeyName> = []
        return keys.filter { seen.insert($0).inserted }
    }

    /// Starts an observation of all keys of all domains, declared or not, except the one that names the schema.
    package func observeAll(
        sendsInitial: Bool, deliversValues: Bool, delivery: DefaultsDelivery,
        handler: @escaping ObserverSubscription.Handler
    ) -> DefaultsObservation {
        let domains = domains
        let subscription = ObserverSubscription(
            keys: [],
            allKeys: { values in
                var seen: Set<KeyName> = [.schema]
                let list = domains.load()
                return (values.keys + list.names + list.namesOfTraits).filter { seen.insert($0).inserted }
            },
            deliversValues: deliversValues, delivery: delivery,
            lookup: lookup,
            reportEndless: { [weak self] in self?.reportEndless([]) },
            handler: SuiteReplacement.binding(handler))
        return start(subscription, sendsInitial: sendsInitial)
    }

    private func reportEndless(_ keys: [KeyName]) {
        report(DefaultsError(.feedbackLoop, suite: name, key: keys.first?.string, path: location?.path))
    }

    private func start(_ subscription: ObserverSubscription, sendsInitial: Bool) -> DefaultsObservation {
        do {
            let store = try store()
            startWatching(store)
            do { _ = try store.state() } catch { reportLasting(error) }
            examine(subscription.allKeys == nil ? subscription.keys : nil)
            store.add(subscription, sendsInitial: sendsInitial)
            store.monitor.watchRecords()
            if sendsInitial { subscription.deliverInitial() } else { subscription.deliver() }
            // Nobody has loaded for this observer what was notified of before it was on the list.
            do { _ = try store.state() } catch { reportLasting(error) }
            return DefaultsObservation(subscription) {
                store.remove(subscription)
                store.monitor.watchRecords()
            }
        } catch {
            reportLasting(error)
            ChangeHub().add(subscription, sendsInitial: sendsInitial) { lastStore?.latest.values ?? .empty }
            if sendsInitial { subscription.deliverInitial() }
            let late = LateObserver(subscription)
            lateObservers.withLock { $0.append(late) }
            // Another thread may have opened the store in the meantime, and found none.
            if let store = openStore { takeUpLateObservers(store) }
            return DefaultsObservation(subscription) { [weak self] in
                self?.lateObservers.withLock { $0.removeAll { $0 === late } }
                guard let store = late.store.withLock({ $0.take() }) else { return }
                store.remove(subscription)
                store.monitor.watchRecords()
            }
        }
    }

    /// Has observers that knew of nothing stored notified of what there is, and of all changes from now on.
    func takeUpLateObservers(_ store: SettingsStore) {
        let late = lateObservers.withLock { late in
            defer { if !late.isEmpty { late = [] } }
            return late
        }
        guard !late.isEmpty else { return }
        startWatching(store)
        do { _ = try store.state() } catch { reportLasting(error) }
        var pending: [ObserverSubscription] = []
        for late in late {
            // Before it is on the hub's list: one that ends meanwhile takes itself off, or is not put there any more.
            late.store.withLock { $0 = store }
            if store.takeUp(late.subscription) { pending.append(late.subscription) }
        }
        // On another thread, because the caller only wanted to use the suite.
        WorkerPool.shared.deliver(pending)
        store.monitor.watchRecords()
    }
}

/// An observer that was begun while the store could not be opened.
final class LateObserver: Sendable {
    let subscription: ObserverSubscription
    /// The store that has taken it up; kept because the observer may be the last to know of it.
    let store = Locked<SettingsStore?>(nil)  // A leaf.

    init(_ subscription: ObserverSubscription) { self.subscription = subscription }
}

extension DefaultsSuite {
    /// Calls a handler whenever the effective value of a key changes, whatever changed it.
    ///
    /// Events come in commit order, and each one's old value is the new value of the one before. The handler may
    /// read, write, observe and invalidate; what it writes itself is delivered after it returns. If the key is
    /// declared later, its default is delivered with the key's next change.
    ///
    /// ```swift
    /// let suite = DefaultsSuite.inMemory()
    /// let observation = suite.observe(forKey: "volume") { change in
    ///     print(change.newValue?.double ?? 0, change.cause)
    /// }
    /// observation.invalidate()
    /// ```
    ///
    /// - Cost: a process's first observation starts a thread and has the kernel watch the folder.
    /// - Parameters:
    ///   - options: which values the changes carry, and whether the current value is delivered at once.
    ///   - delivery: where the handler is called; by default on the writing thread before the write that made the
    ///     change returns, unless another thread is just calling it, which then does so next; and on a background
    ///     thread for changes from outside the process.
    ///   - handler: is called with each change.
    /// - Returns: the observation, which ends with its last reference unless it is tied to an object's life.
    public func observe(
        forKey key: String, options: DefaultsObservationOptions = [.initial, .old, .new],
        on delivery: DefaultsDelivery = .immediate, handler: @escaping @Sendable (DefaultsChange) -> Void
    ) -> DefaultsObservation {
        let context = context
        let delivered = DeliveredValues()
        return context.observe([KeyName(key)], sendsInitial: options.contains(.initial), delivery: delivery) {
            notice, subscription in
            for change in delivered.changes(notice, of: context, options) where subscription.isActive {
                handler(change)
            }
        }
    }

    /// Calls a handler whenever any effective value changes, including those of undeclared keys: once for a whole
    /// transaction.
    ///
    /// `$schema` is not included.
    ///
    /// - Cost: while such an observation is active, a change whose keys are not known, such as an edit by hand, compares
    ///   all values of the suite; a write compares its own.
    /// - Parameter options: `.initial` for a call at once.
    public func observeAll(
        options: DefaultsObservationOptions = [.initial], on delivery: DefaultsDelivery = .immediate,
        handler: @escaping @Sendable () -> Void
    ) -> DefaultsObservation {
        // With the context, whose domains the observer hears of: another context would take its place when the last handle is
        // gone.
        context.observeAll(
            sendsInitial: options.contains(.initial), deliversValues: false, delivery: delivery
        ) { [context] _, subscription in
            withExtendedLifetime(context) { if subscription.isActive { handler() } }
        }
    }
}
