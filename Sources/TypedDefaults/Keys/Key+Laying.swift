import DefaultsStore

/// Writing an array or object as an edit of the one that is stored: what the key's type does not know stays.
extension Defaults.Key {
    /// Stores the text of an array or object.
    func lay(_ text: StoredValue, in core: SuiteCore) throws(DefaultsError) {
        let rule = try layingRule(in: core)
        // What is read of a part depends on other domains too.
        let isWhole = coding.merge == .replace
        let basis = isWhole ? core.readings.basis(of: keyName, Value.self) : nil
        let stored = try core.lay(text, forKey: keyName, as: rule, over: basis) { reading(of: $0, in: core) }
        if isWhole {
            core.readings.note(LaidChange.Basis(text: stored, reading: text), of: keyName, Value.self)
        }
    }

    /// Returns the text to stage for what an access in place, or an assignment in a transaction, has made of a value.
    ///
    /// - Parameters:
    ///   - stored: what is stored.
    ///   - before: the text of the value that was read; nil if none was, or if it is not what is stored.
    func laid(
        _ text: StoredValue?, over stored: StoredValue?, from before: StoredValue?, in core: SuiteCore
    ) throws(DefaultsError) -> StoredValue? {
        guard let text, text.isList else { return text }
        let before = before ?? stored.flatMap { reading(of: $0, in: core) }
        return try layingRule(in: core).text(of: text, from: before, over: stored)
            .checkingSize(forKey: name, in: core.name)
    }

    /// Returns the value that an access in place begins with, and whether what is read is what is stored.
    ///
    /// A combined value is read of all domains, and stored as the part that differs.
    func valueToChange(
        _ stored: StoredValue?, in core: SuiteCore
    ) -> (value: Value, isOfStored: Bool) {
        guard !isQuick else { return (value(in: core), false) }
        ReadRecorder.note(keyName, in: core)
        welcome(in: core)
        let view = core.viewReporting()
        let finding = find(in: core, view)
        return (value(of: finding, in: core), finding.refusal == nil && isRead(of: stored, view.domains))
    }

    /// Whether a value that is read is what is stored, or has it as its part, and not what hides it.
    func isRead(of stored: StoredValue?, _ domains: SearchList) -> Bool {
        coding.merge != .replace || domains.first(keyName, stored: stored) == stored
    }

    /// Returns what the key's type makes of a stored text, as the type writes it; nil if it is no value of the key's, so
    /// that there is nothing in it to keep.
    private func reading(of stored: StoredValue, in core: SuiteCore) -> StoredValue? {
        do throws(DefaultsError) {
            let whole = coding.merge == .replace ? stored : core.domains.load().first(keyName, stored: stored)
            let value = try coding.value(of: whole ?? stored, at: place(in: core)) { defaultValue }
            return try coding.uncheckedText(of: value, at: place(in: core))
        } catch {
            return nil
        }
    }

    private func layingRule(in core: SuiteCore) throws(DefaultsError) -> LaidChange.Rule {
        guard coding.merge != .replace else { return .whole }
        let lower = core.domains.load().below(keyName)
        let standard = try coding.defaultText(at: place(in: core)) { defaultValue }
        return .part(coding.merge, below: coding.merge.combined([lower, standard].compactMap(\.self)))
    }
}
