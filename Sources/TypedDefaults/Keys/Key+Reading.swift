import DefaultsStore

/// From a suite's state to a key's value.
extension Defaults.Key {
    /// The value in a suite, the default where the stored one cannot be used; what is wrong is reported.
    func value(in core: SuiteCore) -> Value {
        switch outcome(in: core, view: { core.viewReporting() }) {
        case .found(let value): return value
        case .missing: return defaultValue
        case .refused(let error):
            core.reportStanding(error)
            return defaultValue
        }
    }

    /// The value in a suite.
    ///
    /// - Throws: `.typeMismatch`, `.invalidValue`, and what kept the files from being read.
    func valueThrowing(in core: SuiteCore) throws(DefaultsError) -> Value {
        let view = try core.view()
        // Asked again with errors thrown: a damaged file may hold the key behind the damage.
        _ = try view.first(keyName)
        switch outcome(in: core, view: { view }) {
        case .found(let value): return value
        case .missing: return defaultValue
        case .refused(let error): throw error
        }
    }

    /// The value of a text of this key; the default for nil.
    func value(of text: StoredValue?, in core: SuiteCore) -> Value {
        guard let text else { return defaultValue }
        switch decode(text, in: core, view: nil) {
        case .found(let value): return value
        case .missing: return defaultValue
        case .refused(let error):
            core.reportStanding(error)
            return defaultValue
        }
    }

    func outcome(in core: SuiteCore, view: () -> SuiteCore.View) -> KeyCache<Value>.Outcome {
        let isOwn = core === suite.core
        if isOwn, let outcome = cache.present() { return outcome }
        let view = view()
        let text: StoredValue?
        do { text = try view.first(keyName) } catch {
            core.reportStanding(error)
            text = view.domains.below(keyName)
        }
        guard isOwn, view.isPlain, let store = core.openStore else {
            return text.map { decode($0, in: core, view: view) } ?? .missing
        }
        return cache.outcome(of: text, view.snapshot.stamp, store) { decode($0, in: core, view: view) }
    }

    /// Decodes a text; a refusal says where in the file it stands.
    private func decode(
        _ text: StoredValue, in core: SuiteCore, view: SuiteCore.View?
    ) -> KeyCache<Value>.Outcome {
        do {
            let place = KeyPlace(key: keyName, suite: core.name)
            return .found(try coding.value(of: text, at: place) { defaultValue })
        } catch {
            return .refused(core.locating(error, key: keyName, view?.snapshot))
        }
    }
}
