/// The domains that a process adds to its suites: the command line, the environment, what lives as long as it does,
/// and where the administrator's file is.
extension DefaultsSuite {
    /// Lets the command line answer for keys, above everything but an administrator's file.
    ///
    /// `--quality 0.5`, `--quality=0.5` and `-quality 0.5` all answer for `quality`; a flag of a `Bool` key needs no
    /// value; the last flag of a name counts, and `--` ends them. A declared key's type says what a text means: a
    /// `String` takes it as it is, a `Bool` also as yes, no, 1 or 0, everything else as JSON or as a bare word. One that
    /// does not fit is reported, and the next domain answers. To a key nobody declared it is JSON where it is JSON, else
    /// a word. A later call's flags come before an earlier one's.
    ///
    /// - Parameter arguments: the words, with or without the program's name in front.
    public func addArguments(_ arguments: [String] = CommandLine.arguments) {
        let domain = ArgumentDomain(arguments)
        core.addTexts { $0.adding(domain) }
    }

    /// Lets the environment answer for keys, below the command line: with the prefix `APP_`, `APP_SERVER_MAX_RETRIES`
    /// answers for `server.maxRetries`.
    ///
    /// Dots, dashes, underscores and case do not count, on either side. So a variable answers for every key that folds
    /// to its name; where that is more than one declared key, it is reported. Of several variables for one key the one
    /// in capitals, with a `_` for each dot and before each hump, counts, else the first in the order of their bytes;
    /// that is reported too. The texts are read as those of ``addArguments(_:)``. A variable has no key's name by
    /// itself, so only declared keys show in ``dictionaryRepresentation()`` for it.
    ///
    /// - Parameters:
    ///   - prefix: what the names begin with, exactly.
    ///   - variables: the environment; nil for the process's own as it is now.
    public func addEnvironment(prefix: String, in variables: [String: String]? = nil) {
        let environment = variables ?? SystemCalls.environment
        core.addTexts { $0.adding(environment, prefix: prefix) }
    }

    /// Sets a value for as long as this process runs: above what is stored, and never written to the file.
    ///
    /// - Throws: `.locked` for an administrator's key, `.invalidValue` where a rule would be broken, `.invalidKey`,
    ///   `.valueTooLarge`; the value before still counts.
    public func setTransient(_ value: DefaultsValue, forKey key: String) throws(DefaultsError) {
        let text = try StoredValue.checked(value, forKey: key, in: name)
        do { try core.setTransient([(KeyName.validated(key), text)]) } catch { throw error.inSuite(name) }
    }

    /// Takes a transient value away, so that the stored one shows again; one that is not there is no failure.
    ///
    /// - Throws: `.invalidValue` where a rule would be broken by that.
    public func removeTransient(forKey key: String) throws(DefaultsError) {
        try core.setTransient([(KeyName(key), nil)])
    }

    /// Takes another file for the administrator's, in place of `/etc/xdg/<suite>/managed.json`; nil takes none.
    ///
    /// A suite that was opened by a path, and one in memory, has none by itself. The file is a JSON object as a
    /// settings file is, comments included. It answers before everything else, and its keys are locked: writing one
    /// throws `.locked`. It counts only where it and its folder belong to root or to this user and nobody else can
    /// write them. It is read at once, and again whenever it changes; what cannot be used is reported, and the last
    /// good values stay.
    ///
    /// - Throws: `.io` when the path names no file.
    public func setManagedFile(_ path: String?) throws(DefaultsError) {
        let file = try path.map { (path) throws(DefaultsError) in
            try SuiteLocation.check(path, suite: name)
            guard let file = ManagedFile(path: path) else {
                throw DefaultsError(
                    .io, suite: name, path: path, underlyingDescription: "the path names no file")
            }
            return file
        }
        core.useManagedFile(file)
    }
}

extension SuiteCore {
    /// Sets some transient values, or takes them away for nil, all or none.
    package func setTransient(_ changes: [(key: KeyName, value: StoredValue?)]) throws(DefaultsError) {
        for (key, value) in changes where value != nil { try checkUnlocked(key) }
        let unheard = Propagation.isHeard ? [] : Set(changes.map(\.key))
        var isDone = false
        while !isDone {
            let view = viewReporting()
            let next = SuiteCore.View(
                snapshot: view.snapshot, domains: view.domains.settingTransient(changes),
                transaction: view.transaction, isWatched: view.isWatched)
            try check(
                DefaultsSnapshot(core: self, view: next), after: DefaultsSnapshot(core: self, view: view))
            changeDomains(.thisProcess, unheard: unheard) { present in
                // The rules were asked about these domains, with no lock held; of others they are asked again.
                guard present === view.domains else { return present }
                isDone = true
                return present.settingTransient(changes)
            }
        }
    }
}
