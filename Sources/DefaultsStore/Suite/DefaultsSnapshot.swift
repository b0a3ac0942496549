/// All effective values of a suite at one moment: later writes do not show in it.
///
/// ```swift
/// let snapshot = try DefaultsSuite("com.example.player").snapshot()
/// print(snapshot.dictionaryRepresentation())
/// ```
public struct DefaultsSnapshot: Sendable {
    package let core: SuiteCore
    private let document: SettingsDocument
    private let staged: OpenTransaction.Changes
    private let domains: SearchList

    init(core: SuiteCore, view: SuiteCore.View) {
        self.core = core
        document = view.snapshot.document
        staged = view.transaction?.changes ?? OpenTransaction.Changes()
        domains = view.domains
    }

    /// The text that counts for a key, nil where only its own default can answer.
    package func first(_ key: KeyName) -> StoredValue? {
        domains.first(key, stored: staged.value(forKey: key) ?? document.value(forKey: key))
    }

    /// The effective value of a key.
    public func value(forKey key: String) -> DefaultsValue? { value(KeyName(key)) }

    /// All effective values by name.
    public func dictionaryRepresentation() -> [String: DefaultsValue] {
        let names =
            Array(document.keys) + staged.order + domains.names + core.catalogue.all.map(\.name)
        var values: [String: DefaultsValue] = [:]
        for name in names where values[name.string] == nil { values[name.string] = value(name) }
        return values
    }

    private func value(_ key: KeyName) -> DefaultsValue? {
        if let text = first(key) { return text.value }
        do { return try core.defaultText(key)?.value } catch {
            core.reportStanding(error)
            return nil
        }
    }
}

extension DefaultsSuite {
    /// The values of this moment: one consistent state, whatever is written afterwards.
    ///
    /// A failure to read goes to ``failures``; the last good state answers.
    public func snapshot() -> DefaultsSnapshot { DefaultsSnapshot(core: core, view: core.viewReporting()) }
}
