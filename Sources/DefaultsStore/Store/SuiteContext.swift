import Synchronization

/// What all handles of one location share: the domains, the catalogue, the failures, and the store once it is open.
package final class SuiteContext: Sendable {
    package let name: String
    /// Nil in memory.
    let location: SuiteLocation?
    package let failures: FailureLog
    package let catalogue = KeyCatalogue()
    /// The defaults in the system's folders, once they are wanted.
    let systemDefaults = LazyReference<SystemDefaults>()
    /// Whether any key has been declared secret, or a source has supplied secrets.
    let hasSecrets = Atomic<Bool>(false)
    package let domains = PublishedDomains()
    let managed: ManagedSource
    let validations = ValidationList()
    /// The store, once it has been opened.
    let opened = LazyReference<SettingsStore>()
    /// The tasks that wait, if any ever did.
    let waiting = LazyReference<TaskQueues>()
    /// The observers that were begun while the store could not be opened.
    let lateObservers = Locked<[LateObserver]>([])  // A leaf.
    /// The declared keys of each variable that has answered.
    let keysOfVariables = Locked<[String: Set<KeyName>]>([:])  // A leaf.
    /// How long a record may wait for the checkpoint, in milliseconds.
    private let delay = Atomic<UInt64>(CheckpointSchedule.usualDelay)
    /// How many handles there are that count.
    private let handles = Atomic<Int>(0)
    private let kept = LazyReference<AttachedObjects>()
    private let commitGuard = LazyReference<CommitGuard>()
    private let domainChange = Locked(())  // Lock L4: one change of the domains at a time; may take L5.

    /// - Parameter managed: the administrator's file; nil for none.
    init(name: String, location: SuiteLocation?, managed: ManagedFile? = nil) {
        self.name = name
        self.location = location
        self.managed = ManagedSource(managed)
        failures = FailureLog(suite: name)
    }

    deinit {
        if let commitGuard = commitGuard.load() { lastStore?.writer.remove(commitGuard) }
    }

    /// What a layer above keeps for the suite while there is a handle of it.
    package var belongings: AttachedObjects { kept.load() ?? kept.storeIfNil(AttachedObjects()) }

    func addHandle() { handles.add(1, ordering: .relaxed) }

    /// Records the end of a handle; with the last one goes what is kept for them.
    ///
    /// Whoever keeps something has a handle, so that none is forgotten here: another handle that comes meanwhile loses
    /// at most what can be made anew.
    func removeHandle() {
        guard handles.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
        kept.load()?.removeAll()
    }

    /// Nil in a refused child.
    package var openStore: SettingsStore? { Fork.isRefused ? nil : lastStore }

    /// The store that was opened, also by the parent of a refused child.
    var lastStore: SettingsStore? { opened.load() }

    /// Returns the store, which is opened at its first use.
    ///
    /// - Throws: `.forkedChild`; `.insecureDirectory`, `.readOnly`, `.diskFull`, `.ioFailure`; the next use tries again.
    package func store() throws(DefaultsError) -> SettingsStore {
        if let store = openStore {
            // Another thread may watch a file that was named just now, and not have read it yet.
            if !managed.isWatched.load(ordering: .acquiring) || !managed.isKnown.load(ordering: .acquiring) {
                checkManagedFile(store)
            }
            return store
        }
        do { try DefaultsError.refuseInChild(location?.path) } catch { throw error.inSuite(name) }
        Fork.arm()
        // Before the store is opened, so that nobody finds it open while its locked keys are not known yet.
        readManagedFileOnce()
        do {
            let found = try location.map { (location) throws(DefaultsError) in
                try SuiteRegistry.store(at: location)
            }
            let opening = found ?? SettingsStore(files: nil)
            opening.attach(failures)
            if checkpointDelay != CheckpointSchedule.usualDelay {
                opening.checkpointer.setDelay(milliseconds: checkpointDelay)
            }
            opening.writer.add(ownGuard)
            // A change of the domains that finds no store open must not run at the same time as the first reads.
            let store = domainChange.withLock { _ in opened.storeIfNil(opening) }
            watchForFailures()
            takeUpLateObservers(store)
            return store
        } catch {
            throw error.inSuite(name)
        }
    }

    /// How long a record may wait for the checkpoint, in milliseconds.
    var checkpointDelay: UInt64 {
        get { delay.load(ordering: .relaxed) }
        set {
            delay.store(newValue, ordering: .relaxed)
            openStore?.checkpointer.setDelay(milliseconds: newValue)
        }
    }

    private var ownGuard: CommitGuard {
        if let known = commitGuard.load() { return known }
        return commitGuard.storeIfNil(
            CommitGuard(domains: domains, validations: validations) {
                [weak self] (changes, values) throws(DefaultsError) in
                try self?.checkBeforeCommit(changes, on: values)
            })
    }

    /// Replaces the domains and notifies the observers whose effective value changes: before this returns or, if the
    /// caller is in a transaction, after that has released its locks.
    func changeDomains(
        _ cause: DefaultsChange.Cause, unobserved: Set<KeyName> = [],
        touched: (DomainStack) -> [KeyName]? = { _ in nil }, _ change: (DomainStack) -> DomainStack
    ) {
        deliver(replaceDomains(cause, unobserved: unobserved, touched: touched, change))
    }

    /// Notifies observers, at the time that ``changeDomains(_:unobserved:touched:_:)`` names.
    func deliver(_ pending: [ObserverSubscription]) {
        guard let store = openStore, !pending.isEmpty else { return }
        store.runUserCode { pending.forEach { $0.deliver() } }
    }

    /// As `changeDomains`, but leaves the delivery to the caller.
    ///
    /// - Parameters:
    ///   - unobserved: the keys whose change no observer is notified of.
    ///   - touched: the only keys whose effective value the change may affect; nil if it may affect all.
    /// - Returns: the observers that have something to deliver.
    @inline(never)
    func replaceDomains(
        _ cause: DefaultsChange.Cause, unobserved: Set<KeyName> = [],
        touched: (DomainStack) -> [KeyName]? = { _ in nil }, _ change: (DomainStack) -> DomainStack
    ) -> [ObserverSubscription] {
        if openStore?.hasObservers == true { examine(touched(domains.load())) }
        // Released when this returns, after the locks.
        var displaced = DisplacedVersions()
        let pending = domainChange.withLock { _ -> [ObserverSubscription] in
            guard let store = openStore else {
                displaced = put(change(domains.load()))
                return []
            }
            return store.changeDomains(cause, unobserved: unobserved, touched: touched(domains.load())) {
                displaced = put(change(domains.load()))
            }
        }
        withExtendedLifetime(displaced) {}
        return pending
    }

    /// Publishes other domains; what was wrong with values that one of them had and has no more is forgotten.
    private func put(_ next: DomainStack) -> DisplacedVersions {
        if FailureLog.isAnyLasting {
            let present = domains.load()
            failures.forgetLastingOfValues { name in
                let key = KeyName(name)
                let kept = Set(next.candidates(key, stored: nil).map(\.text))
                let gone = present.candidates(key, stored: nil).filter { !kept.contains($0.text) }
                guard let refused = catalogue.declaration(key)?.refused, !refused.isEmpty else {
                    return !gone.isEmpty
                }
                return gone.contains { domain in
                    domain.refusal != nil
                        || domain.value.map { refused.has($0, as: .whole) || refused.has($0, as: .part) }
                            == true
                }
            }
        }
        return domains.store(next)
    }
}

/// The layers that sources of default values own in the registration domain.
extension SuiteContext {
    /// Puts what a source has supplied into its layer, replacing all that it had supplied before.
    ///
    /// Observers of keys whose effective value changes are called with `.defaultsChanged(name)`, by this thread
    /// before this returns. A value that no file could hold is reported and left out. If the values are a changed
    /// copy of the current ones, the cost is that of what was changed.
    ///
    /// - Parameters:
    ///   - name: the source's name.
    ///   - locked: the values that take precedence over everything except the administrator's file, and whose keys
    ///     nobody may set.
    ///   - parts: the files that the values are from, the highest first, in place of `values`.
    ///   - texts: the texts of `values` that have no type until a key gives them one.
    ///   - isSecret: whether all values are secrets.
    ///   - location: the path or URL that the values came from, for `explain`.
    ///   - age: how old the values are already.
    ///   - asked: when the source was asked for them, on the monotonic clock; nil for now. Values that were asked for
    ///     before those in place are dropped.
    ///   - isLastKnown: whether they were kept on disk by an earlier start.
    ///   - keepsPlace: whether an existing layer keeps its position, as when a followed file changes; otherwise it
    ///     takes precedence over all other layers, as the one read last.
    package func setLayer(
        _ name: String, values: LayerValues, locked: LayerValues = LayerValues(),
        parts: [InstalledLayer.Part] = [], texts: [KeyName: FileText] = [:], isSecret: Bool = false,
        location: String?, age: Duration = .zero, asked: UInt64? = nil, isLastKnown: Bool = false,
        keepsPlace: Bool = false
    ) {
        for fault in values.refusals + locked.refusals + parts.flatMap(\.values.refusals) {
            report(fault.inSuite(self.name))
        }
        let parts = parts.map { InstalledLayer.Part(values: $0.values.sound, location: $0.location) }
        var sound = values.sound
        for part in parts.reversed() { sound.put(part.values) }
        let layer = InstalledLayer(
            name: name, values: sound, parts: parts, texts: texts, isSecret: isSecret, locked: locked.sound,
            location: location, ageThen: age, loaded: SystemCalls.monotonicNanoseconds,
            asked: asked ?? SystemCalls.monotonicNanoseconds, isLastKnown: isLastKnown)
        // Before the values are there, so that none is ever printed.
        if isSecret { hasSecrets.store(true, ordering: .releasing) }
        let hasTexts = domains.load().contents.layers.contains { $0.name == name && !$0.texts.isEmpty }
        if hasTexts || !texts.isEmpty {
            return addTexts(.defaultsChanged(name)) { $0.setting(layer, keepsPlace: keepsPlace) }
        }
        let touched = domains.load().keysTouched(by: layer, keepsPlace: keepsPlace)
        changeDomains(
            .defaultsChanged(name), touched: { $0.keysTouched(by: layer, keepsPlace: keepsPlace) },
            { $0.setting(layer, keepsPlace: keepsPlace) })
        let names = touched ?? layer.values.keys + layer.locked.keys
        deliver(takeUpForms(among: names, .defaultsChanged(name)))
    }

    /// The highest precedence first.
    package var layers: [InstalledLayer] { domains.load().contents.layers }

    /// A value that no file could hold is reported and left out.
    func storable(_ values: [String: DefaultsValue]) -> [KeyName: StoredValue] {
        var texts: [KeyName: StoredValue] = [:]
        for (key, value) in values {
            do {
                texts[try KeyName.validated(key)] = try StoredValue.checked(value, forKey: key, in: name)
            } catch {
                report(error)
            }
        }
        return texts
    }
}

/// The last known layers of the sources that a suite follows, on disk.
extension SuiteContext {
    /// Nil in memory.
    package func pathOfKnownLayer(of source: String) -> String? { knownLayerFile(of: source)?.path }

    /// Returns what is kept of a source, nil if nothing is.
    ///
    /// - Throws: `.insecureDirectory`, `.malformedFile`, `.valueTooLarge`, `.ioFailure`.
    package func knownLayer(of source: String) throws(DefaultsError) -> KnownLayer? {
        try knownLayerFile(of: source)?.read()
    }

    /// Keeps a source's layer, unless a later one is kept already.
    ///
    /// - Throws: `.valueTooLarge`, `.insecureDirectory`, `.readOnly`, `.diskFull`, `.ioFailure`; what was kept still is then.
    package func keep(_ layer: KnownLayer, of source: String) throws(DefaultsError) {
        try location?.checkWritable()
        try knownLayerFile(of: source)?.write(layer)
    }

    /// Removes what is kept of a source.
    ///
    /// - Throws: `.insecureDirectory`, `.readOnly`, `.ioFailure`; what was kept still is then.
    package func forgetKnownLayer(of source: String) throws(DefaultsError) {
        try location?.checkWritable()
        try knownLayerFile(of: source)?.remove()
    }

    private func knownLayerFile(of source: String) -> KnownLayerFile? {
        location.map { KnownLayerFile(of: source, beside: $0) }
    }
}

/// The schema of a suite's values, for editors: a file, and the member of the settings file that names it.
extension SuiteContext {
    /// Writes a schema's text next to the settings file, or to a path, unless it is there already.
    ///
    /// - Returns: the file's path.
    package func writeSchema(_ text: [UInt8], to path: String?) throws(DefaultsError) -> String {
        do {
            if path == nil { try location?.checkWritable() }
            let place = try schemaPlace(path)
            if let unlike = try SchemaFile.write(text, at: place) { report(unlike) }
            return place.path
        } catch {
            throw error.inSuite(name)
        }
    }

    private func schemaPlace(_ path: String?) throws(DefaultsError) -> SuiteLocation {
        let isInsecureAllowed = location?.allowsInsecureDirectory ?? false
        guard let path = path ?? location.map({ $0.path(of: $0.schema) }) else {
            throw DefaultsError(
                .ioFailure, underlyingDescription: "a suite in memory has no file to put a schema beside")
        }
        let whole = try GivenPath.absolute(path)
        guard !path.utf8.contains(0),
            let place = SuiteLocation(path: whole, allowsInsecureDirectory: isInsecureAllowed)
        else {
            throw DefaultsError(.ioFailure, path: path, underlyingDescription: "the path names no file")
        }
        guard place.path != location?.path else {
            throw DefaultsError(
                .ioFailure, path: path, underlyingDescription: "the settings are in this file")
        }
        return place
    }

    /// Names a schema's file in the settings file, if that names none yet; in memory there is nothing to do.
    package func nameSchema(at path: String) throws(DefaultsError) {
        guard let location, try isSchemaNamed() == false else { return }
        let reference = SchemaReference.text(to: path, from: location.folder)
        do {
            try withTransaction { transaction in
                // Another process, or a user, may have been first.
                guard try isSchemaNamed() == false else { return }
                transaction.store.writer.stage(
                    StoredValue(.string(reference)), forKey: .schema, in: transaction)
            }
        } catch let error as DefaultsError {
            throw error
        } catch {
            throw DefaultsError(.ioFailure, suite: name, underlyingDescription: "\(error)")
        }
    }

    private func isSchemaNamed() throws(DefaultsError) -> Bool {
        let view = try view()
        // A broken file is left to the user, who may be about to fix it.
        if let fault = view.snapshot.fault { throw fault.inSuite(name) }
        return try view.stored(.schema) != nil
    }
}

extension DefaultsSuite {
    /// The member of the file that names a JSON Schema for editors: `$schema`.
    ///
    /// It is stored like any other member, but is not a setting: ``removeAll()`` leaves it, and neither
    /// ``dictionaryRepresentation()`` nor an observer of all keys includes it.
    @_spi(TypedDefaults) public static let schemaKey = KeyName.schema.string

    /// Without the schema's name and the completed steps of a migration.
    package func storedSettings() throws(DefaultsError) -> [String: DefaultsValue] {
        try storedValues().filter { KeyName($0.key).isSetting }
    }
}

/// Keys that are declared secret, and those that a source of secrets has.
extension SuiteContext {
    /// Whether the key, or another one of its name, is declared secret, or a source of secrets has it.
    ///
    /// - Cost: one load in a suite without secrets.
    package func isSecret(_ key: KeyName) -> Bool {
        guard hasSecrets.load(ordering: .acquiring) else { return false }
        return declaration(key)?.isSecret == true || domains.load().isSecret(key)
    }

    /// Returns why what a change in place makes of a key's value must not be stored; nil if it may be.
    ///
    /// A change in place starts with the value that is read. If that is a secret which the program was given from
    /// outside, the change would put it into a file that it was kept out of. An assignment names what it stores, and
    /// is not asked about; a key that is locked is refused by the commit.
    ///
    /// - Cost: one load if no domain but the stored one has a value.
    package func refusalOfForeignSecret(_ key: KeyName) -> DefaultsError? {
        guard !domains.areBare, isSecret(key) else { return nil }
        do {
            let view = try view()
            let all = view.domains.candidates(key, stored: try view.stored(key))
            let choice = choice(of: key, among: all, view.domains)
            guard let foreign = choice.counting.lazy.compactMap({ all[$0].foreignPlace }).first else {
                return nil
            }
            return DefaultsError(
                .wouldStoreSecret, suite: name, key: key.string,
                underlyingDescription: "it comes from \(foreign)")
        } catch {
            return error.inSuite(name)
        }
    }
}

extension DomainStack.Candidate {
    /// Where the value comes from, if that is neither a file of the suite's nor the program's own code.
    fileprivate var foreignPlace: String? {
        switch location {
        case .argument(_, let flag): "the argument \(flag)"
        case .variable(let name): "the variable \(name)"
        case .source(let name, _, _), .lastKnown(let name, _, _): "the source \(name)"
        default: domain == .transient ? "a transient value" : nil
        }
    }
}

/// Reporting failures that cannot be thrown.
///
/// Inside a transaction the reports wait until its locks are released, because they run user code.
extension SuiteContext {
    package func report(_ error: DefaultsError) { runUserCode { [failures] in failures.report(error) } }

    /// Reported once until it is fixed.
    package func reportLasting(_ error: DefaultsError, in matter: DeduplicatedFailures.Matter? = nil) {
        guard failures.recordLasting(error, in: matter) else { return }
        runUserCode { [failures] in failures.report(error) }
    }

    /// Reports all lasting failures of a matter that was checked as a whole, each once; others of it are
    /// over.
    func reportLasting(only errors: [DefaultsError], in matter: DeduplicatedFailures.Matter) {
        let fresh = failures.recordLasting(only: errors, in: matter)
        if !fresh.isEmpty { runUserCode { [failures] in fresh.forEach { failures.report($0) } } }
    }

    private func runUserCode(_ body: @escaping @Sendable () -> Void) {
        guard let store = openStore else { return WorkerPool.shared.runUserCode(body) }
        store.runUserCode(body)
    }
}
