import Synchronization

/// Reading through the domains: the first that has the key answers.
extension SuiteContext {
    /// What a read is based on: a state, the domains next to it, and the caller's own open transaction if
    /// there is one.
    package struct View {
        package let snapshot: StoreSnapshot
        package let domains: DomainStack
        let transaction: WriteTransaction?
        let isWatched: Bool

        package func stored(_ key: KeyName) throws(DefaultsError) -> StoredValue? {
            if let transaction { return try transaction.stored(key) }
            return try snapshot.stored(key)
        }

        /// Nil if only the key's own default can answer.
        package func first(_ key: KeyName) throws(DefaultsError) -> StoredValue? {
            // If a higher domain answers, a file that cannot be read hides nothing.
            if let value = domains.override(of: key) { return value }
            let stored: StoredValue?
            do { stored = try self.stored(key) } catch {
                // What a damaged file may have is withheld with the rest.
                guard domains.withholds(nil, of: key) else { throw error }
                stored = nil
            }
            return domains.first(key, stored: stored)
        }

        /// Whether what is read is the published state alone, so that it may be cached under that state.
        package var isPlain: Bool { transaction == nil && isWatched }
    }

    /// - Throws: what prevented the files from being read.
    package func view() throws(DefaultsError) -> View { try view(of: try store()) }

    private func view(of store: SettingsStore) throws(DefaultsError) -> View {
        do {
            let transaction = store.writer.joined()
            let snapshot = if let transaction { transaction.base } else { try store.state() }
            let isWatched = managed.isWatched.load(ordering: .acquiring)
            // The domains are read after the state, so that a change between the two is newer than the state's epoch.
            return View(
                snapshot: snapshot, domains: domains.load(), transaction: transaction, isWatched: isWatched)
        } catch {
            throw error.inSuite(name)
        }
    }

    /// The last good view if the files cannot be read; the failure is reported.
    package func viewReporting() -> View {
        do { return try view() } catch { return lastView(after: error) }
    }

    private func lastView(after error: DefaultsError) -> View {
        reportLasting(error)
        // It may be the store that could not be opened, which says nothing about the administrator's file.
        readManagedFileOnce()
        let last = lastStore?.latest ?? .unread(files: nil)
        return View(snapshot: last, domains: domains.load(), transaction: nil, isWatched: false)
    }

    /// The state that was published last, loaded if values have only been looked up so far; nil if no store is open.
    package var loaded: StoreSnapshot? {
        guard let latest = openStore?.latest else { return nil }
        return latest.isUnread ? viewReporting().snapshot : latest
    }

    /// Returns the effective value of a key: through the domains, then its declared default.
    ///
    /// - Parameter isRaw: whether a value that the declared key cannot use is returned too.
    /// - Throws: what prevented the files from being read, or the default from being encoded.
    func effective(_ key: KeyName, in view: View, isRaw: Bool) throws(DefaultsError) -> StoredValue? {
        var text = try view.first(key)
        recordRead(text, of: key)
        if !isRaw, !isUsable(text, key, view.domains) {
            text = substitute(key, view.domains, stored: try view.stored(key))
        }
        return try withDefault(text, key, view.domains)
    }

    /// Failures are reported.
    func text(_ key: KeyName, in view: View) -> StoredValue? {
        do {
            let text = try view.first(key)
            recordRead(text, of: key)
            return isUsable(text, key, view.domains)
                ? text : substitute(key, view.domains, stored: try view.stored(key))
        } catch {
            reportLasting(error)
            return substitute(key, view.domains, stored: nil)
        }
    }

    /// True for an undeclared key, and for no text.
    func isUsable(_ text: StoredValue?, _ key: KeyName, _ domains: DomainStack) -> Bool {
        guard let text, let declaration = catalogue.declaration(key) else { return true }
        let lower = domains.below(text, of: key, stored: text)
        return declaration.objection(text, over: lower, isSecret: isSecret(key)) == nil
    }

    /// Returns what applies in place of a text that the declared key cannot use; what it refuses is reported.
    func substitute(_ key: KeyName, _ domains: DomainStack, stored: StoredValue?) -> StoredValue? {
        let all = domains.candidates(key, stored: stored)
        let choice = choice(of: key, among: all, domains)
        for (index, candidate) in all.enumerated() {
            guard let error = choice.refusals[index] else { continue }
            reportLasting(locating(error, key: key, candidate, loaded))
        }
        return choice.value
    }

    func choice(
        of key: KeyName, among all: [DomainStack.Candidate], _ domains: DomainStack
    ) -> DomainStack.Choice<DefaultsError> {
        let (declaration, isSecret) = (catalogue.declaration(key), isSecret(key))
        return domains.choice(of: key, among: all) {
            declaration?.objection($0, as: $1, over: $2, isSecret: isSecret)
        }
    }

    /// Has declared keys look at what applies for them, so that what they cannot use is known while no type may be asked.
    ///
    /// - Parameter keys: their names; nil for all.
    func examine(_ keys: [KeyName]?) {
        // What is published, which the hub compares; a view would read the administrator's file, which may be what asks.
        guard let snapshot = openStore?.latest, !snapshot.isUnread else { return }
        let domains = domains.load()
        for key in keys ?? catalogue.all.map(\.name) where catalogue.declaration(key) != nil {
            let stored = snapshot.values.value(forKey: key)
            if isUsable(domains.first(key, stored: stored), key, domains) { continue }
            _ = choice(of: key, among: domains.candidates(key, stored: stored), domains)
        }
    }

    /// A default that cannot be encoded is reported.
    func value(of text: StoredValue?, forKey key: KeyName, _ domains: DomainStack) -> DefaultsValue? {
        do { return try withDefault(text, key, domains)?.value } catch {
            reportLasting(error)
            return text?.value
        }
    }

    /// Returns a text with the key's declared default below it, if the text is missing or is to be combined with the
    /// default.
    private func withDefault(
        _ text: StoredValue?, _ key: KeyName, _ domains: DomainStack
    ) throws(DefaultsError) -> StoredValue? {
        guard let text else { return try defaultText(key) }
        let merge = domains.merge(of: key)
        return merge == .replace ? text : merge.whole(text, over: try defaultText(key))
    }

    package func defaultText(_ key: KeyName) throws(DefaultsError) -> StoredValue? {
        guard let declaration = catalogue.declaration(key) else { return nil }
        do { return try declaration.defaultText() } catch { throw error.inSuite(name) }
    }
}

extension DropIns.File {
    func place(of key: KeyName) -> (path: String, line: Int, column: Int)? {
        document.place(ofKey: key).map { (path, $0.line, $0.column) }
    }
}

extension SuiteContext {
    /// Returns the same error with the place in the file of the effective value of the key, if it is in a
    /// file, and with what can be done about a value of its domain.
    package func locating(_ error: DefaultsError, key: KeyName, _ snapshot: StoreSnapshot?) -> DefaultsError {
        let stored = snapshot?.values.value(forKey: key)
        let highest = domains.load().candidates(key, stored: stored).first { $0.value != nil }
        return highest.map { locating(error, key: key, $0, snapshot) } ?? error
    }

    /// Does the same for the value of a domain.
    package func locating(
        _ error: DefaultsError, key: KeyName, _ candidate: DomainStack.Candidate, _ snapshot: StoreSnapshot?
    ) -> DefaultsError {
        // What to do about any other failure does not depend on the domain.
        let isOfDomain = error.code == .typeMismatch || error.code == .invalidValue
        var located = isOfDomain ? error.advising(candidate.recoverySuggestion) : error
        let place =
            candidate.domain == .managed || candidate.file != nil
            ? candidate.filePlace(of: key) : filePlace(of: key, candidate.domain, snapshot)
        guard let place else { return located }
        (located.path, located.line, located.column) = (place.path, place.line, place.column)
        return located
    }

    /// Nil for other domains and in memory.
    func filePlace(
        of key: KeyName, _ domain: DefaultsDomain, _ snapshot: StoreSnapshot?
    ) -> (path: String, line: Int, column: Int)? {
        if domain == .managed { return domains.load().contents.managed.file(with: key)?.place(of: key) }
        guard domain == .stored, let path = snapshot?.files?.location.path,
            let place = snapshot?.values.place(ofKey: key)
        else { return nil }
        return (path, place.line, place.column)
    }
}

/// The short path of a read, if nothing is out of the ordinary.
extension SuiteContext {
    /// Runs a body with the text of a key in the current state.
    ///
    /// A body, because what it is given is too much to be returned without cost.
    ///
    /// - Parameter body: gets the JSON text (nil if nothing is stored or registered), the version of the state, and
    ///   the cell that the version belongs to. It has to be short and must not run user code. It is not run if there
    ///   is more to be done: a file to be read, a transaction of the caller's to look into, damage to report.
    ///   ``view()`` does all of that.
    /// - Cost: a few atomic operations and the look-up; if another process has committed, also the system calls of
    ///   ``Loader/stateAfterNewRecords()``.
    package func withQuickText(
        _ key: KeyName, _ body: (UnsafeBufferPointer<UInt8>?, UInt64, FreshnessCell.Place) -> Void
    ) {
        opened.withLoaded { store in
            guard !Fork.isRefused, store.writer.joined() == nil,
                managed.isWatched.load(ordering: .acquiring)
            else {
                return
            }
            let isPresent = store.withLatest { snapshot in
                guard let version = store.version(of: snapshot) else { return false }
                give(key, of: snapshot, at: version, store, body)
                return true
            }
            guard !isPresent, let (snapshot, version) = store.loader.stateAfterNewRecords() else { return }
            give(key, of: snapshot, at: version, store, body)
        }
    }

    @inline(__always)
    private func give(
        _ key: KeyName, of snapshot: StoreSnapshot, at version: UInt64, _ store: SettingsStore,
        _ body: (UnsafeBufferPointer<UInt8>?, UInt64, FreshnessCell.Place) -> Void
    ) {
        guard !snapshot.isDamaged else { return }
        // Asked after the state is read, so that a change between the two is newer than the state's epoch.
        if domains.areBare {
            snapshot.values.withText(ofKey: key) { body($0, version, store.versionCell) }
        } else {
            let text = domains.load().first(key, stored: snapshot.values.value(forKey: key))
            text.withText { body($0, version, store.versionCell) }
        }
    }
}

/// All values at once.
extension SuiteContext.View {
    /// Including the caller's own staged changes.
    func storedValues() throws(DefaultsError) -> [String: DefaultsValue] {
        var values: [String: DefaultsValue] = [:]
        for key in keysStored { values[key.string] = try stored(key)?.value }
        return values
    }

    /// The names that may have a stored value.
    var keysStored: [KeyName] {
        transaction?.recordReadOfAll()
        return snapshot.values.keys + (transaction?.changes.order ?? [])
    }
}
