/// What is wrong with the current values.
extension DefaultsSuite {
    /// Returns the current values of declared keys that do not decode or are not allowed.
    ///
    /// First those of the file in its order, then other domains' by key, then the rules across keys that are broken.
    ///
    /// - Cost: decodes every value of a declared key, and runs the rules.
    public func problems() -> [DefaultsProblem] {
        let view = core.viewReporting()
        let stored = view.snapshot.values.keys.compactMap { core.declaration($0) }.flatMap { declaration in
            problems(declaration, view) { $0 == .stored }
        }
        let others = core.declarations.flatMap { declaration in
            problems(declaration, view) { $0 != .stored }
        }
        let rules = core.broken(in: DefaultsSnapshot(core: core, view: view)).map { rule in
            DefaultsProblem(
                key: nil, rule: rule.name, domain: nil, line: nil, column: nil, code: .invalidValue,
                reason: "the rule \"\(rule.name)\" is broken by the present values", text: nil)
        }
        return stored + others + rules
    }

    private func problems(
        _ declaration: KeyDeclaration, _ view: SuiteCore.View, where isWanted: (DefaultsOrigin) -> Bool
    ) -> [DefaultsProblem] {
        let key = declaration.name
        let all = view.domains.candidates(key, stored: view.snapshot.values.value(forKey: key))
        // A combined value is one value, and is attributed to the highest domain that takes part.
        let isWhole = declaration.merge != .replace
        let whole = isWhole ? declaration.merge.combined(all.compactMap(\.value)) : nil
        let highest = all.firstIndex { $0.value != nil }
        return all.indices.filter { isWanted(all[$0].origin) }.compactMap { index in
            let candidate = all[index]
            let refusal: DefaultsError?
            if let value = candidate.value {
                let text = isWhole ? (index == highest ? whole : nil) : value
                refusal = text.flatMap { declaration.objection($0) }
            } else {
                refusal = candidate.refusal
            }
            return refusal.map { problem($0, candidate, declaration, view) }
        }
    }

    private func problem(
        _ error: DefaultsError, _ candidate: SearchList.Candidate, _ declaration: KeyDeclaration,
        _ view: SuiteCore.View
    ) -> DefaultsProblem {
        let place =
            candidate.file?.place(of: declaration.name)
            ?? core.filePlace(of: declaration.name, candidate.origin, view.snapshot)
        return DefaultsProblem(
            key: declaration.name.string, domain: candidate.origin.description, line: place?.line,
            column: place?.column, code: error.code,
            reason: error.underlyingDescription ?? error.description,
            text: core.isSecret(declaration.name) ? nil : candidate.text)
    }
}
