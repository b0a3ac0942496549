import Synchronization

/// Declared keys and what the domains make of them.
extension SuiteContext {
    /// Adds a key to the catalogue; a later declaration of a name replaces an earlier one.
    ///
    /// - Returns: what does not fit an earlier declaration of the name; nil if all does.
    package func declare(_ declaration: KeyDeclaration) -> String? {
        record(declaration)
        let conflict = catalogue.declare(declaration)
        deliver(takeUp(declaration.name))
        // What may have been a member of another key's object is a key of its own from now on.
        for prefix in declaration.name.objectNames where catalogue.declaration(prefix) != nil {
            deliver(takeUp(prefix))
        }
        for (key, traits) in domains.load().contents.traits
        where traits.forms.contains(where: { $0.name == declaration.name }) {
            deliver(takeUp(key))
        }
        return conflict
    }

    /// Declares a key of another suite that is used in this one, unless what it says is known already.
    ///
    /// - Parameters:
    ///   - isSecret: whether it is declared secret.
    ///   - merge: how it combines the domains' values.
    package func register(
        _ type: any Any.Type, _ key: KeyName, isSecret: Bool, merge: DefaultsMerge,
        _ declaration: () -> KeyDeclaration
    ) {
        if let known = catalogue.declaration(key), ObjectIdentifier(known.type) == ObjectIdentifier(type),
            known.isSecret || !isSecret, merge == .replace || known.merge != .replace
        {
            return
        }
        guard let reason = declare(declaration()) else { return }
        // Standing, because keys that do not fit one another may be used in turn.
        reportLasting(DefaultsError(.conflictingKeys, key: key.string, underlyingDescription: reason))
    }

    /// Records that there are secrets, before the catalogue has the first one.
    private func record(_ declaration: KeyDeclaration) {
        if declaration.isSecret { hasSecrets.store(true, ordering: .releasing) }
    }

    package func declaration(_ key: KeyName) -> KeyDeclaration? { catalogue.declaration(key) }

    /// Adds a command line, an environment or a layer of texts, read as the declared keys require.
    func addTexts(_ cause: DefaultsChange.Cause = .thisProcess, _ add: (DomainStack) -> DomainStack) {
        while true {
            let before = domains.load()
            let next = add(before)
            // Computed before the change, because it runs the decoding of the keys' types.
            let traits = Dictionary(
                uniqueKeysWithValues: catalogue.all.map {
                    ($0.name, next.traits(of: $0, isDeclared: isDeclared))
                })
            var isDone = false
            changeDomains(cause) { present in
                guard present.contents.additions == before.contents.additions else { return present }
                isDone = true
                return add(present).setting(traits)
            }
            guard isDone else { continue }
            // A key declared in the meantime was matched with the domains as they were.
            for declaration in catalogue.all { deliver(takeUp(declaration.name)) }
            return
        }
    }

    private func isDeclared(_ key: KeyName) -> Bool { catalogue.declaration(key) != nil }

    /// Computes what the domains have for a key, and reports what it cannot use.
    ///
    /// - Returns: the observers that have something to deliver.
    func takeUp(_ key: KeyName, _ cause: DefaultsChange.Cause = .thisProcess) -> [ObserverSubscription] {
        while true {
            let before = domains.load()
            // Looked up after the domains, so that of two declarations at once the one that is kept applies.
            guard let declaration = declaration(key) else { return [] }
            // The usual case, in which nothing that the traits consist of is needed.
            if !before.contents.treatsSpecially(declaration) { return [] }
            let traits = before.traits(of: declaration, isDeclared: isDeclared)
            reportOnce(traits, declaration, before)
            let known = before.contents.traits[key]
            guard traits != known, !(traits.isPlain && known == nil) else { return [] }
            var isDone = false
            let pending = replaceDomains(cause, touched: { _ in [key] }) { present in
                guard present.contents.additions == before.contents.additions,
                    present.contents.fileNames === before.contents.fileNames,
                    present.contents.traits[key] == known
                else { return present }
                isDone = true
                return present.setting([key: traits])
            }
            if isDone { return pending }
        }
    }

    /// Has declared keys look for what files have for them under names that are no keys' own.
    ///
    /// - Parameter names: those that files have got.
    /// - Returns: the observers that have something to deliver.
    func takeUpForms(among names: [KeyName], _ cause: DefaultsChange.Cause) -> [ObserverSubscription] {
        let declared = catalogue.all
        let names = Set(names.filter { catalogue.declaration($0) == nil })
        if declared.isEmpty || names.isEmpty { return [] }
        let objects = Set(names.flatMap(\.objectNames))
        return declared.map(\.name).filter { key in
            objects.contains(key) || key.objectNames.contains(where: names.contains)
        }.flatMap { takeUp($0, cause) }
    }

    private func reportOnce(_ traits: KeyTraits, _ declaration: KeyDeclaration, _ list: DomainStack) {
        for refusal in traits.refusals { reportLasting(refusal.inSuite(name)) }
        guard let variable = list.contents.environment[declaration.name] else { return }
        let namesakes = namesakes(of: declaration.name, by: variable.name)
        if namesakes.count > 1 {
            let keys = namesakes.sorted().map { "\"\($0)\"" }.joined(separator: " and ")
            reportLasting(
                DefaultsError(
                    .ambiguousVariable, suite: name,
                    underlyingDescription:
                        "\(variable.name) stands for the keys \(keys), and answers for each"),
                in: .values)
        }
        if !variable.others.isEmpty {
            let others = variable.others.joined(separator: " and ")
            reportLasting(
                DefaultsError(
                    .ambiguousVariable, suite: name, key: declaration.name.string,
                    underlyingDescription: "\(variable.name) applies, and \(others) does not"))
        }
    }

    /// Returns the declared keys that a variable answers for, of which a key is one.
    ///
    /// They are recorded as they come, because looking through all keys for each of them would take long.
    private func namesakes(of key: KeyName, by variable: String) -> Set<KeyName> {
        guard catalogue.declaration(key) != nil else { return [] }
        return keysOfVariables.withLock { known in
            known[variable, default: []].insert(key)
            return known[variable] ?? []
        }
    }
}

/// What a commit has to respect: an administrator's locked keys, and the validations across keys.
extension SuiteContext {
    /// Refuses changes that write a locked key or fail a validation; runs the validations, which are user code.
    ///
    /// - Throws: `.locked`, `.invalidValue`.
    func checkBeforeCommit(
        _ changes: StagedChanges, on values: StoredValues
    ) throws(DefaultsError) {
        let list = domains.load()
        for entry in changes.entries where !entry.passesLocks {
            if let refusal = refusalOfSetting(entry.key, list) { throw refusal }
        }
        // What is withheld is served once a program stores it: it is wanted then.
        let again = changes.entries.filter { list.withholds($0.value, of: $0.key) }.map(\.key)
        if !validations.isEmpty {
            let before = DefaultsSnapshot(
                context: self, values: values, staged: StagedChanges(), domains: list)
            let after = DefaultsSnapshot(
                context: self, values: values, staged: changes, domains: list.serving(again))
            try check(after, after: before)
        }
        guard !again.isEmpty, let store = openStore else { return }
        // After the commit, without its locks.
        store.runUserCode { [weak self] in
            self?.changeDomains(.thisProcess, touched: { _ in again }) { $0.serving(again) }
        }
    }

    /// Refuses to set a locked key, or any where it is not known which are.
    func checkUnlocked(_ key: KeyName) throws(DefaultsError) {
        readManagedFileOnce()
        if let refusal = refusalOfSetting(key, domains.load()) { throw refusal }
    }

    private func refusalOfSetting(_ key: KeyName, _ list: DomainStack) -> DefaultsError? {
        if list.locksNothing { return nil }
        if list.isLocked(key) {
            return DefaultsError(.locked, suite: name, key: key.string, path: list.placeOfLock(key))
        }
        guard let doubt = list.contents.managed.doubt, key.isSetting else { return nil }
        return DefaultsError(
            .locked, suite: name, key: key.string, path: doubt.path, line: doubt.line, column: doubt.column,
            systemError: doubt.systemError,
            underlyingDescription: "the administrator's file, which may lock the key, cannot be read"
                + (doubt.underlyingDescription.map { ": \($0)" } ?? "")
        ).advising("Have the administrator's file corrected, and write again.")
    }

    /// Refuses a state that fails a validation.
    ///
    /// A validation that was broken before, for example by an edit of the file, refuses only changes of keys that it reads;
    /// otherwise nothing could be saved until somebody fixes the file.
    func check(_ next: DefaultsSnapshot, after present: DefaultsSnapshot) throws(DefaultsError) {
        for validation in validations.all {
            if let refusal = refusal(of: next, after: present, by: validation) { throw refusal }
        }
    }

    /// Returns why a state would be refused, by each validation that would refuse it.
    func refusals(of next: DefaultsSnapshot, after present: DefaultsSnapshot) -> [DefaultsError] {
        validations.all.compactMap { refusal(of: next, after: present, by: $0) }
    }

    private func refusal(
        of next: DefaultsSnapshot, after present: DefaultsSnapshot, by validation: SuiteValidation
    ) -> DefaultsError? {
        let reads = ValidationReads()
        guard !validation.isKept(next.noting(reads)),
            reads.all.contains(where: { next.first($0) != present.first($0) })
        else { return nil }
        return DefaultsError(
            .invalidValue, suite: name,
            underlyingDescription: "the validation \"\(validation.name)\" would fail")
    }

    func broken(in snapshot: DefaultsSnapshot) -> [SuiteValidation] {
        validations.all.filter { !$0.isKept(snapshot) }
    }

    func brokenError(_ validation: String) -> DefaultsError {
        DefaultsError(
            .invalidValue, suite: name, path: location?.path,
            underlyingDescription: "the validation \"\(validation)\" fails for the present values")
    }

    /// Adds a validation and monitors it from now on: a state that breaks it is reported, once until it is kept again.
    func addValidation(_ validation: SuiteValidation) {
        validations.add(validation)
        examine(validation.name)
    }

    private func examine(_ name: String) {
        // A validation that reads other keys each time is given up on here; its commits are checked all the same.
        for _ in 0..<8 {
            guard let validation = validations[name] else { return }
            let reads = ValidationReads()
            let isKept = validation.isKept(
                DefaultsSnapshot(context: self, view: viewReporting()).noting(reads))
            let error = brokenError(name)
            if isKept {
                failures.forgetLasting(in: .validations) { $0 == error }
            } else {
                reportLasting(error, in: .validations)
            }
            guard validations.needsObserver(name, for: reads.all) else { return }
            // Observed first and then checked once more, so that no change can come in between unseen.
            observe(reads.all.union(validations.observed(name)), for: name)
        }
    }

    private func observe(_ keys: Set<KeyName>, for validation: String) {
        let onPool = DefaultsDelivery.custom { WorkerPool.shared.run($0) }
        let observation = observe(Array(keys), sendsInitial: false, delivery: onPool) { [weak self] _, _ in
            self?.examine(validation)
        }
        validations.keep(observation, of: keys, for: validation)
    }
}

/// A validation across keys that the suite's effective values have to pass.
struct SuiteValidation: Sendable {
    let name: String
    /// User code.
    let isKept: @Sendable (DefaultsSnapshot) -> Bool
}

/// The keys whose values a validation has read.
final class ValidationReads: Sendable {
    private let names = Locked<Set<KeyName>>([])  // A leaf.

    func record(_ key: KeyName) { _ = names.withLock { $0.insert(key) } }

    var all: Set<KeyName> { names.withLock { $0 } }
}

/// The validations of a suite in the order in which they were added, each with the observation that monitors it.
final class ValidationList: Sendable {
    private struct Entry {
        let validation: SuiteValidation
        var observed: Set<KeyName> = []
        var observation: DefaultsObservation?
    }

    private let entries = Locked<[Entry]>([])  // A leaf.
    private let hasAny = Atomic<Bool>(false)

    var all: [SuiteValidation] { entries.withLock { $0.map(\.validation) } }

    /// Asked by every commit.
    var isEmpty: Bool { !hasAny.load(ordering: .acquiring) }

    subscript(name: String) -> SuiteValidation? { all.first { $0.name == name } }

    /// Replaces a validation of the same name.
    func add(_ validation: SuiteValidation) {
        let old = entries.withLock { entries in
            let old = entries
            entries.removeAll { $0.validation.name == validation.name }
            entries.append(Entry(validation: validation))
            hasAny.store(true, ordering: .releasing)
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// Whether a validation has read a key that is not observed for it yet.
    func needsObserver(_ name: String, for keys: Set<KeyName>) -> Bool {
        entries.withLock { entries in
            entries.first { $0.validation.name == name }.map { !keys.isSubset(of: $0.observed) } ?? false
        }
    }

    func observed(_ name: String) -> Set<KeyName> {
        entries.withLock { entries in entries.first { $0.validation.name == name }?.observed ?? [] }
    }

    /// Replaces the earlier observation.
    func keep(_ observation: DefaultsObservation, of keys: Set<KeyName>, for name: String) {
        let old = entries.withLock { entries -> DefaultsObservation? in
            guard let place = entries.firstIndex(where: { $0.validation.name == name }) else {
                return observation
            }
            let old = entries[place].observation
            entries[place].observation = observation
            entries[place].observed = keys
            return old
        }
        old?.invalidate()
    }
}
