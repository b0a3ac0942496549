/// The domains that a process adds to its suites: the command line, the environment, transient values, and the
/// location of the administrator's file.
extension DefaultsSuite {
    /// Adds the command line as a domain, above everything except an administrator's file.
    ///
    /// `--quality 0.5`, `--quality=0.5` and `-quality 0.5` all set `quality`. A flag of a `Bool` key needs no
    /// value. `--` ends the flags. The type of a declared key decides how a text is read:
    /// - A `String` is the text as it is.
    /// - A `Bool` also accepts yes, no, on, off, 1 and 0.
    /// - A number also accepts `+5` and `.5`.
    /// - A list of strings, Booleans, numbers or enums also accepts `a,b`.
    /// - Everything else is JSON or a bare word.
    ///
    /// If a flag is given more than once, such a list takes all of its texts, and any other key the last one.
    /// A text that does not fit is reported, with an example of one that does, and the next domain applies.
    /// For an undeclared key, the text is JSON if it is valid JSON, otherwise a string. The flags of a later
    /// call take precedence over those of an earlier one.
    ///
    /// - Parameters:
    ///   - arguments: the words, with or without the program's name first.
    ///   - names: the names of keys by their flags, where these differ: `["api-token": "apiToken"]`.
    public func addArguments(
        _ arguments: [String] = CommandLine.arguments, names: [String: String] = [:]
    ) {
        let domain = ArgumentDomain(arguments, names: names)
        context.addTexts { $0.adding(domain) }
    }

    /// Adds the environment as a domain, below the command line.
    ///
    /// With the prefix `APP_`, the variable `APP_SERVER_MAX_RETRIES` sets `server.maxRetries`. Dots, dashes,
    /// underscores and case are ignored, on both sides. So a variable sets every key that folds to its name;
    /// if that is more than one declared key, it is reported.
    ///
    /// Several variables for one key are reported too. The one in capitals with a `_` for each dot and before
    /// each hump is used, otherwise the first in the order of their bytes. The texts are read like those of
    /// ``addArguments(_:names:)``. An empty variable is an empty text; for a secret key it is ignored. The
    /// name of a variable does not reveal the key's exact name, so it is in ``dictionaryRepresentation()``
    /// only for declared keys.
    ///
    /// - Parameters:
    ///   - prefix: the exact beginning of the names.
    ///   - variables: the environment; nil for the process's own as it is now.
    public func addEnvironment(prefix: String, in variables: [String: String]? = nil) {
        let environment = variables ?? SystemCalls.environment
        context.addTexts { $0.adding(environment, prefix: prefix) }
    }

    /// Sets a value for as long as this process runs: above what is stored, and never written to the file.
    ///
    /// - Throws: `.locked` for an administrator's key, `.invalidKey`, `.valueTooLarge`. `.typeMismatch` and
    ///   `.invalidValue` for a value that a declared key cannot use; `.invalidValue` if a validation across keys
    ///   would be broken. The previous value still applies then.
    public func setTransient(_ value: DefaultsValue, forKey key: String) throws(DefaultsError) {
        do {
            let known = try KeyName.validated(key)
            let text = try StoredValue.checked(value, forKey: key, in: name)
            try context.checkUse(of: text, forKey: known)
            try context.setTransient([(known, text)])
        } catch {
            throw error.inSuite(name)
        }
    }

    /// Removes a transient value, so that the stored one applies; it is not an error if there is none.
    ///
    /// - Throws: `.invalidValue` if a validation would fail.
    public func removeTransient(forKey key: String) throws(DefaultsError) {
        try context.setTransient([(KeyName(key), nil)])
    }

    /// Uses another file as the administrator's, instead of `/etc/xdg/<suite>/managed.json`; nil uses none.
    ///
    /// A suite that was opened by a path, or is in memory, has none by default. The file is a JSON object
    /// like a settings file, comments included. It takes precedence over everything else, and its keys are
    /// locked: writing one throws `.locked`.
    ///
    /// It is used only if it and its folder belong to root or to this user and nobody else can write them. It
    /// is read at once, and again whenever it changes. A fault is reported, and the last good values stay.
    /// Until the file has been read whole once, every write throws `.locked`.
    ///
    /// Drop-ins, `managed.d/*.json` for `managed.json`, lock keys in the same way. A later name takes
    /// precedence over an earlier one, and all of them over the file.
    ///
    /// - Throws: `.ioFailure` if the path names no file.
    public func setManagedFile(_ path: String?) throws(DefaultsError) {
        let file = try path.map { (path) throws(DefaultsError) in
            let whole = try GivenPath.absolute(path, suite: name)
            guard let file = ManagedFile(path: whole) else {
                throw DefaultsError(
                    .ioFailure, suite: name, path: path, underlyingDescription: "the path names no file")
            }
            return file
        }
        context.useManagedFile(file)
    }
}

extension SuiteContext {
    /// Sets some transient values, or removes them for nil: all or none.
    package func setTransient(_ changes: [(key: KeyName, value: StoredValue?)]) throws(DefaultsError) {
        for (key, value) in changes where value != nil { try checkUnlocked(key) }
        let unobserved = Propagation.isHeard ? [] : Set(changes.map(\.key))
        var isDone = false
        while !isDone {
            let view = viewReporting()
            let next = SuiteContext.View(
                snapshot: view.snapshot, domains: view.domains.settingTransient(changes),
                transaction: view.transaction, isWatched: view.isWatched)
            try check(
                DefaultsSnapshot(context: self, view: next),
                after: DefaultsSnapshot(context: self, view: view))
            changeDomains(.thisProcess, unobserved: unobserved, touched: { _ in changes.map(\.key) }) {
                present in
                // The validations were run on these domains, with no lock held; if the domains have changed, they are
                // asked again.
                guard present === view.domains else { return present }
                isDone = true
                return present.settingTransient(changes)
            }
        }
    }
}

/// Validations across keys.
extension DefaultsSuite {
    /// Adds a validation that the effective values have to pass, replacing an earlier one of the same name.
    ///
    /// ```swift
    /// let suite = DefaultsSuite.inMemory()
    /// suite.addValidation("min <= max") { values in
    ///     let least = values.value(forKey: "min")?.int ?? 0
    ///     let most = values.value(forKey: "max")?.int ?? 100
    ///     return least <= most
    /// }
    /// ```
    ///
    /// With typed keys: `suite.addValidation("min <= max") { $0[.min] <= $0[.max] }`.
    ///
    /// Every write and every transaction is checked before its commit, in this process and in each process
    /// that adds the validation. One that would fail the validation throws `.invalidValue` with the validation's name, and
    /// nothing is written. If the current values break it already, for example after an edit of the file,
    /// that is reported once and listed in ``problems()``. Then only a write that changes values which the
    /// validation reads is refused.
    ///
    /// The validation runs under the writer's lock, like a transaction's body, and on a background thread when
    /// values change. So it has to be short, take all it needs from its argument, and must not write
    /// anything: a write of the same suite is refused there (`.lockTimeout`).
    ///
    /// - Parameters:
    ///   - name: the validation in words, for the errors; no values.
    ///   - isKept: whether the state that would be committed passes the validation.
    public func addValidation(_ name: String, _ isKept: @escaping @Sendable (DefaultsSnapshot) -> Bool) {
        context.addValidation(SuiteValidation(name: name, isKept: isKept))
    }
}

/// A person's edit of the whole settings file.
extension DefaultsSuite {
    /// Replaces the settings file's text by one that a person has edited, with its comments, order and
    /// layout.
    ///
    /// For editors. The writer's lock is held meanwhile, and no write of others is lost. Validations and an
    /// administrator's locks are not checked, as with any edit of the file.
    ///
    /// - Guarantee: on return the file has the text, durably. An old one that could not be read is kept as a
    ///   copy.
    /// - Parameters:
    ///   - text: one JSON object, which may have comments.
    ///   - original: the bytes that were edited; nil if there was no file.
    /// - Returns: nil, with nothing done, if the file has other bytes now, or others have stored values that
    ///   it does not have yet. Nil also in memory, where there is no file.
    /// - Throws: `.malformedText` with line and column if the text is no settings file, `.valueTooLarge`, and
    ///   what ``checkpoint()`` throws; the old file is still there then.
    @_spi(TypedDefaults) public func replaceFile(
        with text: [UInt8], editedFrom original: [UInt8]?
    ) throws(DefaultsError) -> DefaultsReplacement? {
        do throws(DefaultsError) {
            guard text.count <= SettingsFile.limit else { throw DefaultsError(.valueTooLarge, path: path) }
            let (document, fault) = SettingsDocument.read(text)
            if let fault {
                throw DefaultsError(
                    .malformedText, line: fault.line, column: fault.column,
                    underlyingDescription: fault.reason)
            }
            return try context.store().checkpointer.replaceFile(
                with: document, editedFrom: original, until: .after(milliseconds: WriterLock.limit))
        } catch {
            throw error.inSuite(name)
        }
    }
}
