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
    /// Records which keys are asked for.
    private var reads: RuleReads?

    init(context: SuiteContext, view: SuiteContext.View) {
        view.transaction?.noteReadingAll()
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

    /// Returns the same values with some changes.
    func staging(_ changes: StagedChanges) -> DefaultsSnapshot {
        var snapshot = self
        snapshot.staged = changes
        return snapshot
    }

    /// Returns the same values, recording each key that is asked for.
    func noting(_ reads: RuleReads) -> DefaultsSnapshot {
        var snapshot = self
        snapshot.reads = reads
        return snapshot
    }

    /// Returns the text that counts for a key, nil if only the key's own default can answer.
    package func first(_ key: KeyName) -> StoredValue? {
        reads?.note(key)
        return domains.first(key, stored: stored(key), except: context.catalogue.declaration(key)?.refused)
    }

    /// Returns the stored text of a key.
    package func stored(_ key: KeyName) -> StoredValue? {
        reads?.note(key)
        return staged.value(forKey: key) ?? values.value(forKey: key)
    }

    /// Returns the effective value of a key.
    public func value(forKey key: String) -> DefaultsValue? { value(KeyName(key)) }

    /// Whether an administrator's file, or a source that locks keys, has a key, so that nobody else may set it.
    public func isLocked(key: String) -> Bool { domains.isLocked(KeyName(key)) }

    /// Returns all effective values by name, except ``DefaultsSuite/schemaKey``.
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

extension DefaultsSnapshot: CustomReflectable {
    /// The suite alone: a value may be secret, and so is not printed.
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
