/// Keeping versions of the settings file.
extension DefaultsSuite {
    /// The member that says how many versions are kept.
    @_spi(TypedDefaults) public static let historyKey = KeyName.history.string

    /// Keeps versions of the settings file from now on, so that changes can be taken back.
    ///
    /// It is stored in the file as `$history`, so every process keeps versions, and a person can see that. Each
    /// checkpoint keeps what it stores, and a save by hand that it has replaced, in the folder `.settings.json.history`
    /// next to the file. Changes that share a checkpoint, so those of about 100 ms, are one version. A program that is
    /// killed, a power cut or a full disk may cost a version, and never a setting; a failure to keep one is reported to
    /// ``failures``.
    ///
    /// ```swift
    /// let suite = DefaultsSuite.inMemory()
    /// try suite.keepHistory(.versions(50, maximumBytes: 1 << 20))
    /// ```
    ///
    /// In memory there are no versions.
    ///
    /// - Parameters:
    ///   - limit: how many versions are kept; `.off` ends it, and removes those that there are.
    ///   - includingSecrets: whether that is meant although secret keys are declared. Versions have old values, also
    ///     those of secret keys; their files are readable for the user alone.
    /// - Throws: `.wouldStoreSecret` if a secret key is declared; `.invalidValue` for a limit of less than one; what
    ///   ``checkpoint()`` throws.
    /// - Cost: none for a get or a set. A checkpoint, in the background, also writes and syncs one file, and lists the folder.
    public func keepHistory(
        _ limit: DefaultsHistoryLimit, includingSecrets: Bool = false
    ) throws(DefaultsError) {
        let context = current.ownContext
        guard let value = limit.value else {
            try context.write([StoredChange(nil, forKey: .history, passesLocks: true)])
            try checkpoint()
            do throws(DefaultsError) {
                let folder = try context.versions()
                try folder?.removeAll()
                try folder?.remove(named: UndoneKeys.file)
            } catch {
                throw error.inSuite(name)
            }
            return
        }
        if !includingSecrets, let secret = context.catalogue.all.first(where: \.isSecret) {
            throw DefaultsError(
                .wouldStoreSecret, suite: name, key: secret.name.string,
                underlyingDescription: "versions of the settings would keep old values of the key"
            ).advising("Pass includingSecrets: true if that is meant.")
        }
        guard DefaultsHistoryLimit(value) != nil else {
            throw DefaultsError(
                .invalidValue, suite: name,
                underlyingDescription: "a history has at least one version and one byte")
        }
        try context.write(StoredValue(value), forKey: .history)
        try checkpoint()
    }

    /// Returns the versions of the settings file, the newest first.
    ///
    /// The newest one is mostly what is stored. A version may be a file that somebody has saved with a mistake in it.
    ///
    /// - Throws: `.insecureDirectory`, `.ioFailure`. Without a history, the result is empty.
    public func history() throws(DefaultsError) -> [DefaultsVersion] {
        do {
            guard let folder = try current.ownContext.versions() else { return [] }
            return try folder.entries().reversed().map(folder.version)
        } catch {
            throw error.inSuite(name)
        }
    }

    /// Returns the values that a key had, the newest first: one entry for each change of what is stored.
    ///
    /// A version that cannot be read as settings has no entry, nor has one that is a link or another user's, which is
    /// reported to ``failures``. Values of secret keys are there, too.
    ///
    /// - Cost: reads every version.
    /// - Throws: `.insecureDirectory`, `.ioFailure`.
    public func history(forKey key: String) throws(DefaultsError) -> [DefaultsHistoryEntry] {
        do {
            var entries: [DefaultsHistoryEntry] = []
            var last: StoredValue??
            let context = current.ownContext
            guard let folder = try context.versions() else { return [] }
            for entry in try folder.entries() {
                guard let text = try context.text(ofKey: KeyName(key), in: entry.moment, folder) else {
                    continue
                }
                if let last, last.isSame(as: text) { continue }
                last = .some(text)
                entries.append(DefaultsHistoryEntry(version: folder.version(entry), value: text?.value))
            }
            return entries.reversed()
        } catch {
            throw error.inSuite(name)
        }
    }

    /// Returns a draft of what differs from a version, to look at and to apply.
    ///
    /// Members that are no settings are restored too, such as the names of the steps that ``migrate(_:list:)`` has run,
    /// so that values of before run through these again. `$schema` and `$history` stay, if they are there.
    ///
    /// - Throws: `.malformedFile` if the version cannot be read as settings; `.ioFailure` if it is not there any more;
    ///   `.insecureDirectory`, `.valueTooLarge`.
    public func draft(restoring version: DefaultsVersion) throws(DefaultsError) -> DefaultsDraft {
        do throws(DefaultsError) {
            let bytes = try current.ownContext.versions()?.bytes(of: version.moment)
            guard let bytes else {
                throw DefaultsError(
                    .ioFailure, path: version.path, underlyingDescription: "the version is not there any more"
                )
            }
            let (document, fault) = SettingsDocument.read(file: bytes)
            if let fault {
                throw DefaultsError(
                    .malformedFile, path: version.path, line: fault.line, column: fault.column,
                    underlyingDescription: fault.reason)
            }
            return draft(restoring: document)
        } catch {
            throw error.inSuite(name)
        }
    }

    private func draft(restoring document: SettingsDocument) -> DefaultsDraft {
        var draft = draft()
        let kept = draft.storedKeys.filter(\.staysInRestore)
        for key in draft.storedKeys where document.value(forKey: key) == nil && !kept.contains(key) {
            draft.stage(nil, forKey: key)
        }
        for key in document.keys where !kept.contains(key) {
            if let text = document.value(forKey: key) { draft.restore(text.detached, forKey: key) }
        }
        return draft
    }
}

extension KeyName {
    fileprivate var staysInRestore: Bool { self == .schema || self == .history }
}

extension DefaultsDraft {
    var storedKeys: [KeyName] { snapshot.storedKeys }

    /// Sets a text that was stored before, if the declared key can use it still.
    mutating func restore(_ text: StoredValue, forKey key: KeyName) {
        do throws(DefaultsError) {
            try context.checkUse(of: text, forKey: key)
            stage(text, forKey: key)
        } catch {
            refuse(error, forKey: key)
        }
    }
}

extension SuiteContext {
    /// Nil in memory.
    func versions() throws(DefaultsError) -> VersionFolder? {
        // Where the settings file is, should it be a link.
        location == nil ? nil : try view().snapshot.files.map { VersionFolder(of: $0.location) }
    }

    /// What a version has for a key; nil for a version that cannot be read as settings, or is not there any more.
    func text(
        ofKey key: KeyName, in moment: VersionMoment, _ folder: VersionFolder
    ) throws(DefaultsError) -> StoredValue?? {
        do throws(DefaultsError) {
            guard let bytes = try folder.bytes(of: moment) else { return nil }
            let (document, fault) = SettingsDocument.read(file: bytes)
            return fault == nil ? .some(document.value(forKey: key)) : nil
        } catch {
            // One that nobody can trust says nothing, and keeps nobody from the others.
            guard error.code == .insecureDirectory || error.code == .valueTooLarge else { throw error }
            reportLasting(error)
            return nil
        }
    }
}
