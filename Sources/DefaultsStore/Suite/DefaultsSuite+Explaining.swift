/// Where a value comes from.
extension DefaultsSuite {
    /// Returns the domain that supplies the effective value of a key, the highest one if several are combined; nil if
    /// there is no value.
    ///
    /// A failure to read is reported to ``failures``.
    ///
    /// - Cost: looks through the domains, and decodes nothing.
    public func origin(ofKey key: String) -> DefaultsOrigin? {
        let (view, name) = (core.viewReporting(), KeyName(key))
        do {
            // If a higher domain answers, what is stored need not be readable.
            let stored = view.domains.sure(name) == nil ? try view.stored(name) : nil
            if let origin = view.domains.origin(name, stored: stored) { return origin }
            return try core.defaultText(name) == nil ? nil : .registered
        } catch {
            core.reportStanding(error)
            return view.domains.origin(name, stored: nil)
        }
    }

    /// Returns what every domain has for a key, highest first: the text, its place, and whether it counts, is masked
    /// or was refused.
    ///
    /// ```swift
    /// DefaultsSuite.standard.explain(key: "volume").forEach { print($0) }
    /// ```
    ///
    /// The value of a key that is declared secret is never included. If a value is not valid for its key, the key's
    /// own default is served, unless the value came from an argument or a variable: then the next domain answers.
    ///
    /// - Cost: decodes the value, and reads the files' texts up to it.
    public func explain(key: String) -> [DefaultsExplanation] {
        let (view, name) = (core.viewReporting(), KeyName(key))
        var stored: StoredValue?
        do { stored = try view.stored(name) } catch { core.reportStanding(error) }
        let inquiry = Inquiry(core: core, view: view, key: name)
        return inquiry.explanations(of: view.domains.candidates(name, stored: stored))
    }
}

/// One request for the explanation of a key's value, and what it takes to answer it.
private struct Inquiry {
    let core: SuiteCore
    let view: SuiteCore.View
    let key: KeyName

    func explanations(of all: [SearchList.Candidate]) -> [DefaultsExplanation] {
        let merge = view.domains.merge(of: key)
        let whole = merge.combined(all.compactMap(\.value))
        let refusal = whole.flatMap { core.declaration(key)?.objection($0) }
        let winner = all.firstIndex { $0.value != nil }
        let used: DefaultsExplanation.Outcome = merge == .replace ? .counts : .combined
        let given = all.indices.map { index in
            let isUsed = index == winner || merge != .replace
            let masked = winner.map { all[$0].masking } ?? used
            let outcome = isUsed ? refusal.map { .refused($0) } ?? used : masked
            return explanation(all[index], all[index].refusal.map { .refused($0) } ?? outcome)
        }
        guard let winner, refusal == nil else { return given + ownDefault(.counts) }
        return given + ownDefault(merge == .replace ? all[winner].masking : .combined)
    }

    private func explanation(
        _ candidate: SearchList.Candidate, _ outcome: DefaultsExplanation.Outcome
    ) -> DefaultsExplanation {
        let isSecret = core.isSecret(key)
        // What a transaction has staged is in no file yet.
        let isStaged = candidate.origin == .stored && view.transaction?.changes.value(forKey: key) != nil
        let file =
            isStaged || candidate.isOfSource
            ? nil : candidate.file?.place(of: key) ?? core.filePlace(of: key, candidate.origin, view.snapshot)
        // What is committed but not yet in the settings file is in the journal.
        let journal = candidate.origin == .stored && !isStaged ? view.snapshot.files?.location.path : nil
        return DefaultsExplanation(
            origin: candidate.origin, text: isSecret ? nil : candidate.text, isSecret: isSecret,
            place: file.map { .file(path: $0.path, line: $0.line, column: $0.column) }
                ?? journal.map { .journal(of: $0) } ?? candidate.place,
            outcome: outcome)
    }

    /// Returns what the key's own declaration has.
    private func ownDefault(_ outcome: DefaultsExplanation.Outcome) -> [DefaultsExplanation] {
        do {
            guard let text = try core.defaultText(key) else { return [] }
            let candidate = SearchList.Candidate(origin: .registered, place: .declaration, value: text)
            return [explanation(candidate, outcome)]
        } catch {
            let candidate = SearchList.Candidate(
                origin: .registered, place: .declaration, value: nil, refusal: error)
            return [explanation(candidate, .refused(error))]
        }
    }
}

extension SearchList.Candidate {
    /// Whether a source of default values supplied it.
    fileprivate var isOfSource: Bool { source != nil }

    /// The name of the source that supplied it.
    private var source: String? {
        switch place {
        case .source(let name, _, _), .lastKnown(let name, _, _): name
        default: nil
        }
    }

    /// What happens to the values below this one if it counts.
    fileprivate var masking: DefaultsExplanation.Outcome { .masked(by: origin, source: source) }
}
