import Synchronization

/// Declared keys and what the domains make of them.
extension SuiteCore {
    /// Adds a key to the catalogue; a later declaration of a name replaces an earlier one.
    ///
    /// - Returns: what does not fit an earlier declaration of the name; nil if all does.
    package func declare(_ declaration: KeyDeclaration) -> String? {
        note(declaration)
        let conflict = catalogue.declare(declaration)
        takeUp(declaration.name)
        return conflict
    }

    /// Notes a key of another suite that is looked up in this one.
    ///
    /// Its texts are read and its values combined as the key requires, but it brings no default and is in no
    /// catalogue.
    package func welcome(_ type: any Any.Type, _ key: KeyName, _ declaration: () -> KeyDeclaration) {
        guard catalogue.declaration(key) == nil else { return }
        if let known = guests.declaration(key),
            ObjectIdentifier(known.type) == ObjectIdentifier(type)
        {
            return
        }
        let declaration = declaration()
        note(declaration)
        _ = guests.declare(declaration)
        takeUp(key)
    }

    /// Declares a key of the suite that this one stands in for, unless it is declared already.
    package func adopt(_ type: any Any.Type, _ key: KeyName, _ declaration: () -> KeyDeclaration) {
        if let known = catalogue.declaration(key), ObjectIdentifier(known.type) == ObjectIdentifier(type) {
            return
        }
        guard let reason = declare(declaration()) else { return }
        report(DefaultsError(.conflictingKeys, key: key.string, underlyingDescription: reason))
    }

    /// Notes that there are secrets, before the catalogue has the first one.
    private func note(_ declaration: KeyDeclaration) {
        if declaration.isSecret { hasSecrets.store(true, ordering: .releasing) }
    }

    /// Returns the declaration of a key, of this suite or of another one.
    package func declaration(_ key: KeyName) -> KeyDeclaration? {
        catalogue.declaration(key) ?? guests.declaration(key)
    }

    /// Adds a command line, an environment or a layer of texts, read as the declared keys require.
    func addTexts(_ cause: DefaultsChange.Cause = .thisProcess, _ add: (SearchList) -> SearchList) {
        while true {
            let before = domains.load()
            let next = add(before)
            // Computed before the change, because it runs the decoding of the keys' types.
            let traits = Dictionary(
                uniqueKeysWithValues: declarations.map { ($0.name, next.traits(of: $0)) })
            var isDone = false
            changeDomains(cause) { present in
                guard present.contents.additions == before.contents.additions else { return present }
                isDone = true
                return add(present).setting(traits)
            }
            guard isDone else { continue }
            // A key declared in the meantime was matched with the domains as they were.
            for declaration in declarations { takeUp(declaration.name) }
            return
        }
    }

    /// All declarations, one for each name: of this suite's keys, and of other suites' that were looked up here.
    var declarations: [KeyDeclaration] {
        let own = catalogue.all
        let names = Set(own.map(\.name))
        return own + guests.all.filter { !names.contains($0.name) }
    }

    /// Computes what the domains have for a key, and reports what it cannot use.
    private func takeUp(_ key: KeyName) {
        while true {
            let before = domains.load()
            // Looked up after the domains, so that of two declarations at once the one that is kept counts.
            guard let declaration = declaration(key) else { return }
            // The usual case, in which nothing that the traits consist of is needed.
            if !before.contents.treatsSpecially(declaration) { return }
            let traits = before.traits(of: declaration)
            reportOnce(traits, declaration, before)
            let known = before.contents.traits[key]
            guard traits != known, !(traits.isPlain && known == nil) else { return }
            var isDone = false
            changeDomains(.thisProcess) { present in
                guard present.contents.additions == before.contents.additions,
                    present.contents.traits[key] == known
                else { return present }
                isDone = true
                return present.setting([key: traits])
            }
            if isDone { return }
        }
    }

    private func reportOnce(_ traits: KeyTraits, _ declaration: KeyDeclaration, _ list: SearchList) {
        for refusal in traits.refusals { reportStanding(refusal.inSuite(name)) }
        guard let variable = list.contents.environment[declaration.name] else { return }
        let namesakes = namesakes(of: declaration.name, by: variable.name)
        if namesakes.count > 1 {
            let keys = namesakes.sorted().map { "\"\($0)\"" }.joined(separator: " and ")
            reportStanding(
                DefaultsError(
                    .ambiguousVariable, suite: name,
                    underlyingDescription:
                        "\(variable.name) stands for the keys \(keys), and answers for each"),
                in: .values)
        }
        if !variable.others.isEmpty {
            let others = variable.others.joined(separator: " and ")
            reportStanding(
                DefaultsError(
                    .ambiguousVariable, suite: name, key: declaration.name.string,
                    underlyingDescription: "\(variable.name) counts, and \(others) does not"))
        }
    }

    /// Returns the declared keys that a variable answers for, of which a key is one.
    ///
    /// They are noted as they come, because looking through all keys for each of them would take long.
    private func namesakes(of key: KeyName, by variable: String) -> Set<KeyName> {
        guard catalogue.declaration(key) != nil else { return [] }
        return keysOfVariables.withLock { known in
            known[variable, default: []].insert(key)
            return known[variable] ?? []
        }
    }
}
