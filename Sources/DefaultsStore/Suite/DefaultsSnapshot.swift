/// All effective values of a suite at one moment: later writes do not show in it.
///
/// ```swift
/// let snapshot = try DefaultsSuite("com.example.player").snapshot()
/// print(snapshot.dictionaryRepresentation())
/// ```
public struct DefaultsSnapshot: Sendable {
    package let core: SuiteCore
    private let values: StoredValues
    private let domains: SearchList
    private var staged: StagedChanges
    /// Who wants to know which keys are asked for.
    private var reads: RuleReads?

    init(core: SuiteCore, view: SuiteCore.View) {
        view.transaction?.noteReadingAll()
        self.init(
            core: core, values: view.snapshot.values,
            staged: view.transaction?.changes ?? StagedChanges(), domains: view.domains)
    }

    init(
        core: SuiteCore, values: StoredValues, staged: StagedChanges, domains: SearchList
    ) {
        self.core = core
        self.values = values
        self.staged = staged
        self.domains = domains
    }

    /// The same values with some changes.
    func staging(_ changes: StagedChanges) -> DefaultsSnapshot {
        var snapshot = self
        snapshot.staged = changes
        return snapshot
    }

    /// The same values, with a note taken of each key that is asked for.
    func noting(_ reads: RuleReads) -> DefaultsSnapshot {
        var snapshot = self
        snapshot.reads = reads
        return snapshot
    }

    /// The text that counts for a key, nil where only its own default can answer.
    package func first(_ key: KeyName) -> StoredValue? {
        reads?.note(key)
        return domains.first(key, stored: staged.value(forKey: key) ?? values.value(forKey: key))
    }

    /// The effective value of a key.
    public func value(forKey key: String) -> DefaultsValue? { value(KeyName(key)) }

    /// All effective values by name; ``DefaultsSuite/schemaKey`` is none.
    public func dictionaryRepresentation() -> [String: DefaultsValue] {
        let names = values.keys + staged.order + domains.names + core.catalogue.all.map(\.name)
        var effective: [String: DefaultsValue] = [:]
        for name in names where name != .schema && effective[name.string] == nil {
            effective[name.string] = value(name)
        }
        return effective
    }

    private func value(_ key: KeyName) -> DefaultsValue? {
        core.value(of: first(key), forKey: key, domains)
    }
}

extension DefaultsSuite {
    /// The values of this moment: one consistent state, whatever is written afterwards.
    ///
    /// A failure to read goes to ``failures``; the last good state answers.
    ///
    /// - Cost: that of one read; nothing is copied, and the file's text stays in memory as long as the snapshot.
    public func snapshot() -> DefaultsSnapshot { DefaultsSnapshot(core: core, view: core.viewReporting()) }
}
