/// What a commit has to respect: an administrator's locked keys, and the rules across keys.
extension SuiteCore {
    /// Refuses changes that write a locked key or break a rule; runs the rules, which are user code.
    ///
    /// - Throws: `.locked`, `.invalidValue`.
    func checkBeforeCommit(
        _ changes: StagedChanges, on values: StoredValues
    ) throws(DefaultsError) {
        let list = domains.load()
        for entry in changes.entries where list.isLocked(entry.key) {
            // `removeAll` also clears what is stored below a locked value, which changes nothing that counts.
            let isSweep = changes.removesAll && entry.value == nil
            if !isSweep { throw lockedError(entry.key, list) }
        }
        if rules.isEmpty { return }
        let before = DefaultsSnapshot(
            core: self, values: values, staged: StagedChanges(), domains: list)
        try check(before.staging(changes), after: before)
    }

    /// Refuses to set a locked key.
    func checkUnlocked(_ key: KeyName) throws(DefaultsError) {
        readManagedFileOnce()
        let list = domains.load()
        if list.isLocked(key) { throw lockedError(key, list) }
    }

    private func lockedError(_ key: KeyName, _ list: SearchList) -> DefaultsError {
        DefaultsError(.locked, suite: name, key: key.string, path: list.placeOfLock(key))
    }

    /// Refuses a state that breaks a rule.
    ///
    /// A rule that was broken before, for example by an edit of the file, refuses only changes of keys that it reads;
    /// otherwise nothing could be saved until somebody fixes the file.
    func check(_ next: DefaultsSnapshot, after present: DefaultsSnapshot) throws(DefaultsError) {
        for rule in rules.all {
            let reads = RuleReads()
            guard !rule.isKept(next.noting(reads)) else { continue }
            guard reads.all.contains(where: { next.first($0) != present.first($0) }) else { continue }
            throw DefaultsError(
                .invalidValue, suite: name,
                underlyingDescription: "the rule \"\(rule.name)\" would be broken")
        }
    }

    /// Returns the rules that a state breaks.
    func broken(in snapshot: DefaultsSnapshot) -> [DefaultsRule] {
        rules.all.filter { !$0.isKept(snapshot) }
    }

    /// Returns what is reported about a rule that is broken already.
    func brokenError(_ rule: String) -> DefaultsError {
        DefaultsError(
            .invalidValue, suite: name, path: location?.path,
            underlyingDescription: "the rule \"\(rule)\" is broken by the present values")
    }

    /// Adds a rule and monitors it from now on: a state that breaks it is reported, once until it is kept again.
    func addRule(_ rule: DefaultsRule) {
        rules.add(rule)
        examine(rule.name)
    }

    /// Checks whether the current state keeps a rule.
    private func examine(_ name: String) {
        // A rule that reads other keys each time is given up on here; its commits are checked all the same.
        for _ in 0..<8 {
            guard let rule = rules[name] else { return }
            let reads = RuleReads()
            let isKept = rule.isKept(DefaultsSnapshot(core: self, view: viewReporting()).noting(reads))
            let error = brokenError(name)
            if isKept {
                failures.forgetStanding(in: .rules) { $0 == error }
            } else {
                reportStanding(error, in: .rules)
            }
            guard rules.needsObserver(name, for: reads.all) else { return }
            // Observed first and then checked once more, so that no change can come in between unseen.
            observe(reads.all.union(rules.observed(name)), for: name)
        }
    }

    private func observe(_ keys: Set<KeyName>, for rule: String) {
        let onCourier = DefaultsDelivery.custom { Courier.shared.run($0) }
        let observation = observe(Array(keys), sendsInitial: false, delivery: onCourier) { [weak self] _, _ in
            self?.examine(rule)
        }
        rules.keep(observation, of: keys, for: rule)
    }
}
