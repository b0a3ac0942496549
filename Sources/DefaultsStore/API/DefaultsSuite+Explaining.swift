/// Where a value comes from.
extension DefaultsSuite {
    /// Returns the domain that supplies the effective value of a key; nil if there is no value.
    ///
    /// If several are combined, it is the highest one. A failure to read is reported to ``failures``.
    ///
    /// - Cost: looks through the domains; decodes the value if the key is declared.
    public func domain(forKey key: String) -> DefaultsDomain? {
        let (view, name) = (context.viewReporting(), KeyName(key))
        let all = context.candidates(name, in: view)
        if let highest = context.choice(of: name, among: all, view.domains).counting.first {
            return all[highest].domain
        }
        do { return try context.defaultText(name) == nil ? nil : .registered } catch {
            context.reportLasting(error)
            return nil
        }
    }

    /// Returns the value of a key in every domain, highest first.
    ///
    /// Each has its text, its location, and whether it is used, masked or refused.
    ///
    /// ```swift
    /// let suite = DefaultsSuite.standard
    /// suite.explain(forKey: "volume").forEach { print($0) }
    /// ```
    ///
    /// The value of a key that is declared secret is never included. A value that the declared key cannot use
    /// is refused, and the next domain's applies.
    ///
    /// - Cost: decodes the value, and reads the files' texts up to it.
    public func explain(forKey key: String) -> [DefaultsExplanation] {
        let (view, name) = (context.viewReporting(), KeyName(key))
        let inquiry = Inquiry(context: context, view: view, key: name)
        return inquiry.explanations(of: context.candidates(name, in: view))
    }
}

extension SuiteContext {
    /// Returns what all domains have for a key; a file that cannot be read is reported.
    fileprivate func candidates(_ key: KeyName, in view: View) -> [DomainStack.Candidate] {
        var stored: StoredValue?
        do { stored = try view.stored(key) } catch { reportLasting(error) }
        return view.domains.candidates(key, stored: stored)
    }
}

/// One request for the explanation of a key's value, and what it takes to answer it.
private struct Inquiry {
    let context: SuiteContext
    let view: SuiteContext.View
    let key: KeyName

    func explanations(of all: [DomainStack.Candidate]) -> [DefaultsExplanation] {
        let choice = context.choice(of: key, among: all, view.domains)
        let isMerged = view.domains.merge(of: key) != .replace
        let isCombined = isMerged || choice.counting.contains { all[$0].isMember }
        // Members alone are laid over the default.
        let isOverDefault = isMerged || choice.counting.allSatisfy { all[$0].isMember }
        let used: DefaultsExplanation.Outcome = isCombined ? .combined : .applies
        let masked = choice.counting.first.map { all[$0].masking } ?? used
        let given = all.indices.map { index in
            if let count = all[index].failedStarts {
                return explanation(all[index], .withheld(failedStarts: count))
            }
            let refusal = all[index].refusal ?? choice.refusals[index]
            return explanation(
                all[index], refusal.map { .refused($0) } ?? (choice.counting.contains(index) ? used : masked))
        }
        return given + ownDefault(choice.counting.isEmpty ? .applies : isOverDefault ? .combined : masked)
    }

    private func explanation(
        _ candidate: DomainStack.Candidate, _ outcome: DefaultsExplanation.Outcome
    ) -> DefaultsExplanation {
        let isSecret = context.isSecret(key)
        // What a transaction has staged is in no file yet.
        let isStaged = candidate.domain == .stored && view.transaction?.changes.value(forKey: key) != nil
        let file =
            isStaged || candidate.isOfSource
            ? nil
            : candidate.filePlace(of: key) ?? context.filePlace(of: key, candidate.domain, view.snapshot)
        // What is committed but not yet in the settings file is in the journal.
        let isCommitted = candidate.domain == .stored && !isStaged && candidate.text != nil
        let journal = isCommitted ? view.snapshot.files?.location.path : nil
        return DefaultsExplanation(
            domain: candidate.domain, text: isSecret ? nil : candidate.text, isSecret: isSecret,
            location: file.map { .file(path: $0.path, line: $0.line, column: $0.column) }
                ?? journal.map { .journal(of: $0) } ?? candidate.location,
            outcome: outcome)
    }

    private func ownDefault(_ outcome: DefaultsExplanation.Outcome) -> [DefaultsExplanation] {
        do {
            guard let text = try context.defaultText(key) else { return [] }
            let candidate = DomainStack.Candidate(domain: .registered, location: .declaration, value: text)
            return [explanation(candidate, outcome)]
        } catch {
            let candidate = DomainStack.Candidate(
                domain: .registered, location: .declaration, value: nil, refusal: error)
            return [explanation(candidate, .refused(error))]
        }
    }
}

extension DomainStack.Candidate {
    fileprivate var isOfSource: Bool { source != nil }

    private var source: String? {
        switch location {
        case .source(let name, _, _), .lastKnown(let name, _, _): name
        default: nil
        }
    }

    /// What happens to the values below this one if it applies.
    fileprivate var masking: DefaultsExplanation.Outcome { .masked(by: domain, source: source) }
}

/// Whether the files of a suite are in order.
extension DefaultsSuite {
    /// Inspects the suite's files without changing or creating any.
    ///
    /// It checks whether they parse, who owns them, who may change them, the leftovers of a dead writer, and
    /// the content of the journal.
    ///
    /// It does not check the values: ``problems()`` does. A suite in memory has no findings.
    ///
    /// - Cost: reads all files, and makes writers wait for that long.
    /// - Returns: the findings, in the order of the files; a file that cannot be read is a finding too.
    public func inspectFiles() -> [DefaultsFinding] {
        let hasLock = context.openStore?.writer.isCallerInside == true
        return context.location.map { SuiteInspection.findings(at: $0, callerHasLock: hasLock) } ?? []
    }

    /// Checks the values and the files, for the first line of `main`.
    ///
    /// ```swift
    /// try DefaultsSuite.standard.validate()
    /// ```
    ///
    /// Notes and warnings about the files are no reason to throw. Neither are unknown names, which another
    /// version of the program may know. If there is an error, it includes the warnings and the names.
    ///
    /// - Cost: that of ``problems()`` and ``inspectFiles()``.
    /// - Throws: everything that ``problems()`` lists and ``inspectFiles()`` finds, in one error.
    public func validate() throws(DefaultsFaults) {
        let faults = DefaultsFaults(
            suite: name, problems: problems(), findings: inspectFiles().filter { $0.severity > .note })
        if faults.problems.contains(where: { $0.code != .unregisteredKey })
            || faults.findings.contains(where: { $0.severity == .error })
        {
            throw faults
        }
    }

    /// Repairs the suite's files without losing a byte, and inspects them again.
    ///
    /// It removes everybody's right to write, cleans up a dead writer's leftovers, and brings the settings
    /// file up to date. An unreadable file, which no write replaces, is replaced by the last good values, or
    /// by those that can be read of it, with the writes since then. Its bytes are kept as a copy: the finding
    /// `"damagedCopy"` has its path, and the number of keys in the new file.
    ///
    /// ```swift
    /// for finding in try DefaultsSuite.standard.repairFiles() { print(finding) }
    /// ```
    ///
    /// - Cost: that of ``inspectFiles()`` twice, and of ``checkpoint()``.
    /// - Returns: the remaining findings, and the path of a replaced file's bytes.
    /// - Throws: what ``checkpoint()`` throws, and `.ioFailure`, `.insecureDirectory` or `.lockTimeout` if
    ///   permissions or leftovers could not be corrected; `.lockTimeout` at once inside a transaction.
    public func repairFiles() throws(DefaultsError) -> [DefaultsFinding] {
        guard let location = context.location else { return [] }
        let replacement: DefaultsReplacement?
        do {
            try location.checkWritable()
            try context.openStore?.writer.refuseInsideSession()
            let findings = inspectFiles()
            for finding in findings where finding.repair == .narrowMode {
                let place = try SuiteDirectory.resolve(location)
                try SuiteDirectory.takeRightToWriteFromOthers(finding.path, of: place)
            }
            if findings.contains(where: { $0.repair == .clearing }) { try CrashRecovery.clear(at: location) }
            replacement = try context.store().checkpointer.repair(
                until: .after(milliseconds: WriterLock.limit))
        } catch {
            throw error.inSuite(name)
        }
        try checkpoint()
        return inspectFiles().map { replacement.map($0.telling) ?? $0 }
    }
}

extension DefaultsFinding {
    /// Returns the finding of a copy with what has become of the file, if it is that file's.
    fileprivate func telling(_ replacement: DefaultsReplacement) -> DefaultsFinding {
        guard path == replacement.backupPath else { return self }
        let keys = replacement.keyCount == 1 ? "1 key" : "\(replacement.keyCount) keys"
        return DefaultsFinding(
            severity: severity, category: category, path: path,
            reason: "the settings file that could not be read; the new one has \(keys)",
            recoverySuggestion: recoverySuggestion)
    }
}
