/// All effective values of a suite at one moment; later writes do not show in it.
///
/// ```swift
/// let snapshot = try DefaultsSuite("com.example.player").snapshot()
/// print(snapshot.dictionaryRepresentation())
/// ```
public struct DefaultsSnapshot: Sendable {
    package let context: SuiteContext
    private let values: StoredValues
    package let domains: DomainStack
    private var staged: StagedChanges
    private var reads: ValidationReads?

    init(context: SuiteContext, view: SuiteContext.View) {
        view.transaction?.recordReadOfAll()
        self.init(
            context: context, values: view.snapshot.values,
            staged: view.transaction?.changes ?? StagedChanges(), domains: view.domains)
    }

    init(
        context: SuiteContext, values: StoredValues, staged: StagedChanges, domains: DomainStack
    ) {
        self.context = context
        self.values = values
        self.staged = staged
        self.domains = domains
    }

    /// Returns the snapshot with changes above those that are staged already.
    func staging(_ changes: StagedChanges) -> DefaultsSnapshot {
        var snapshot = self
        if staged.isEmpty {
            snapshot.staged = changes
        } else {
            for change in changes.entries { snapshot.staged.set(change) }
        }
        return snapshot
    }

    func noting(_ reads: ValidationReads) -> DefaultsSnapshot {
        var snapshot = self
        snapshot.reads = reads
        return snapshot
    }

    /// Nil if only the key's own default can answer.
    package func first(_ key: KeyName) -> StoredValue? {
        reads?.record(key)
        return domains.first(key, stored: stored(key), except: context.catalogue.declaration(key)?.refused)
    }

    package func stored(_ key: KeyName) -> StoredValue? {
        reads?.record(key)
        return staged.value(forKey: key) ?? values.value(forKey: key)
    }

    /// The keys that have a stored value.
    var storedKeys: [KeyName] {
        let all = values.keys + staged.order.filter { values.value(forKey: $0) == nil }
        return all.filter { stored($0) != nil }
    }

    /// Returns the effective value of a key.
    public func value(forKey key: String) -> DefaultsValue? { value(KeyName(key)) }

    /// Returns the effective value at a path.
    ///
    /// The value is that of the declared key with the longest name that begins the path, with dots between
    /// the components, and then inside its object and its default's. Otherwise it is that of the setting with
    /// the longest such name. So a path gives what the typed key gives. If no key is declared, a setting that
    /// an administrator has locked comes first.
    ///
    /// ```swift
    /// let suite = DefaultsSuite.inMemory()
    /// try suite.set(["port": 8080], forKey: "http")
    /// let path = ["http", "port"]
    /// // 8080
    /// print(suite.snapshot().value(atPath: path) ?? .null)
    /// ```
    public func value(atPath path: [String]) -> DefaultsValue? {
        for count in stride(from: path.count, to: 0, by: -1) {
            let name = KeyName(path.prefix(count).joined(separator: "."))
            guard let declaration = context.catalogue.declaration(name) else { continue }
            let found = value(name)
            if count == path.count { return found }
            let inner = path.dropFirst(count)
            if let value = found?.object?.value(at: inner) { return value }
            if let value = context.defaultValue(declaration)?.object?.value(at: inner) { return value }
        }
        return DefaultsObject.value(at: path[...]) { domains.isLocked(KeyName($0)) ? value(forKey: $0) : nil }
            ?? DefaultsObject.value(at: path[...]) { value(forKey: $0) }
    }

    /// Returns all effective values by name, except `$schema`.
    public func dictionaryRepresentation() -> [String: DefaultsValue] {
        let stored = values.keys
        var effective: [String: DefaultsValue] = [:]
        effective.reserveCapacity(stored.count)
        // Each is there once, and need not be looked for.
        for name in stored where name != .schema { effective[name.string] = value(name) }
        let others = staged.order + domains.names + context.catalogue.all.map(\.name)
        for name in others where name != .schema && effective[name.string] == nil {
            effective[name.string] = value(name)
        }
        return effective
    }

    private func value(_ key: KeyName) -> DefaultsValue? {
        var text = first(key)
        if !context.isUsable(text, key, domains) {
            text = context.substitute(key, domains, stored: stored(key))
        }
        return context.value(of: text, forKey: key, domains)
    }
}

extension DefaultsObject {
    /// Returns the member at a path, nil if there is none; of several the one with the longest name, dots between the
    /// components, so that `{"http": {"tls.port": 1}}` has one at `http`, `tls`, `port`.
    func value(at path: ArraySlice<String>) -> DefaultsValue? {
        DefaultsObject.value(at: path) { self[$0] }
    }

    fileprivate static func value(
        at path: ArraySlice<String>, in members: (String) -> DefaultsValue?
    ) -> DefaultsValue? {
        for count in stride(from: path.count, to: 0, by: -1) {
            guard let found = members(path.prefix(count).joined(separator: ".")) else { continue }
            let rest = path.dropFirst(count)
            if rest.isEmpty { return found }
            if let inner = found.object?.value(at: rest) { return inner }
        }
        return nil
    }
}

extension DefaultsSnapshot: CustomReflectable {
    /// The suite alone; values are left out, because one may be secret.
    @_documentation(visibility: internal)
    public var customMirror: Mirror {
        Mirror(self, children: ["suite": context.name], displayStyle: .struct)
    }
}

extension DefaultsSuite {
    /// Returns the values at this moment: one consistent state, whatever is written afterwards.
    ///
    /// A failure to read is reported to ``failures``; the snapshot is then of the last good state.
    ///
    /// - Cost: that of one read; nothing is copied, and the file's text stays in memory as long as the snapshot.
    public func snapshot() -> DefaultsSnapshot {
        DefaultsSnapshot(context: context, view: context.viewReporting())
    }
}
