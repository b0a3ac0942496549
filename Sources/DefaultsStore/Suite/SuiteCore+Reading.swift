/// Reading through the domains: the first that has the key answers.
extension SuiteCore {
    /// What a read rests on: a state, the domains beside it, and the caller's own open transaction if it has one.
    package struct View {
        package let snapshot: SuiteSnapshot
        package let domains: SearchList
        let transaction: OpenTransaction?

        /// The stored value of a key.
        package func stored(_ key: KeyName) throws(DefaultsError) -> StoredValue? {
            if let transaction { return try transaction.stored(key) }
            return try snapshot.stored(key)
        }

        /// The value that counts for a key, nil where only its own default can answer.
        package func first(_ key: KeyName) throws(DefaultsError) -> StoredValue? {
            domains.first(key, stored: try stored(key))
        }

        /// Whether what is read is the published state alone, so that it may be cached under it.
        package var isPlain: Bool { transaction == nil }
    }

    /// The present view.
    ///
    /// - Throws: what kept the files from being read.
    package func view() throws(DefaultsError) -> View {
        do {
            let store = try store()
            let transaction = store.joined()
            let snapshot = if let transaction { transaction.base } else { try store.state() }
            // The domains are read after the state, so that a change between the two is newer than the state's epoch.
            return View(snapshot: snapshot, domains: domains.load(), transaction: transaction)
        } catch {
            throw error.inSuite(name)
        }
    }

    /// The present view, or the last good one where the files cannot be read; the failure is reported.
    package func viewReporting() -> View {
        do { return try view() } catch {
            reportStanding(error)
            let last = lastStore?.published.load() ?? .unread(files: nil)
            return View(snapshot: last, domains: domains.load(), transaction: nil)
        }
    }

    /// The effective value of a key: through the domains, then its declared default.
    ///
    /// - Throws: what kept the files from being read, or the default from being encoded.
    func effective(_ key: KeyName, in view: View) throws(DefaultsError) -> StoredValue? {
        if let text = try view.first(key) { return text }
        return try defaultText(key)
    }

    /// A key's declared default as JSON.
    package func defaultText(_ key: KeyName) throws(DefaultsError) -> StoredValue? {
        guard let declaration = catalogue.declaration(key) else { return nil }
        do { return try declaration.defaultText() } catch { throw error.inSuite(name) }
    }
}

extension SuiteCore {
    /// The same error with the place in the settings file where the key's value stands.
    package func locating(_ error: DefaultsError, key: KeyName, _ snapshot: SuiteSnapshot?) -> DefaultsError {
        guard let snapshot, let path = snapshot.files?.location.path,
            let place = snapshot.values.place(ofKey: key)
        else { return error }
        var located = error
        located.path = path
        located.line = place.line
        located.column = place.column
        return located
    }
}
