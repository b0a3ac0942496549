/// Observation of all keys with their values.
extension DefaultsSuite {
    /// Calls a handler with the changes of each transaction: one change for each key with a new effective
    /// value.
    ///
    /// Undeclared keys are included, `$schema` is not.
    ///
    /// For each key, the changes form the chain that ``observe(forKey:options:on:handler:)`` gives. All writes
    /// of another process since its journal was read last come in one call.
    ///
    /// - Cost: while such an observation is active, a change of unknown keys, such as an edit by hand,
    ///   compares all values of the suite; a write compares its own. The delivered values are kept; without
    ///   `.initial`, so are the names of removed ones.
    /// - Parameters:
    ///   - options: which values the changes carry, and whether the current ones are delivered at once, by
    ///     key.
    ///   - delivery: where the handler is called. By default a write of this process calls it on the writing
    ///     thread, before the write returns; if another thread is already in the handler, that thread makes
    ///     the call. Changes from outside the process call it on a background thread.
    ///   - handler: called with the changes of a transaction.
    public func observeAll(
        options: DefaultsObservationOptions = [.initial, .old, .new],
        on delivery: DefaultsDelivery = .immediate,
        handler: @escaping @Sendable ([DefaultsChange]) -> Void
    ) -> DefaultsObservation {
        let context = context
        let delivered = DeliveredValues(isComplete: options.contains(.initial))
        return context.observeAll(
            sendsInitial: options.contains(.initial), deliversValues: true, delivery: delivery
        ) { notice, subscription in
            var changes = delivered.changes(notice, of: context, options)
            if notice.isInitial { context.addDeclaredDefaults(to: &changes, notice, delivered, options) }
            guard notice.isInitial || !changes.isEmpty, subscription.isActive else { return }
            handler(changes)
        }
    }
}

extension SuiteContext {
    /// Adds the declared keys that no domain has, with their own defaults.
    fileprivate func addDeclaredDefaults(
        to changes: inout [DefaultsChange], _ notice: ChangeNotice, _ delivered: DeliveredValues,
        _ options: DefaultsObservationOptions
    ) {
        let known = Set(notice.entries.map(\.key) + [.schema])
        let entries = catalogue.all.map(\.name).filter { !known.contains($0) }.map {
            ChangeNotice.Entry(key: $0, old: nil, new: nil)
        }
        guard !entries.isEmpty else { return }
        let rest = ChangeNotice(entries: entries, isInitial: true, cause: notice.cause)
        let others = delivered.changes(rest, of: self, options).filter { delivered.has($0.key) }
        changes = (changes + others).sorted(byName: { KeyName($0.key) })
    }
}

/// Failures that cannot be thrown, and the keys that are declared.
extension DefaultsSuite {
    /// The failures from now on.
    ///
    /// Each caller gets its own stream. It buffers the newest 256 and ends with its consumer. While there is
    /// a stream, nothing is printed on standard error, and the suite stays open.
    ///
    /// ```swift
    /// let listening = Task {
    ///     for await error in DefaultsSuite.standard.failures { print(error) }
    /// }
    /// ```
    public var failures: AsyncStream<DefaultsError> {
        defer { context.watchForFailures() }
        return context.failures.stream(keeping: context)
    }

    /// A function that is called with each failure, on the thread where it occurs.
    ///
    /// Nil by default: each distinct failure is then one line on standard error, unless a stream of ``failures`` is
    /// being read.
    public var onFailure: (@Sendable (DefaultsError) -> Void)? {
        get { context.failures.handler }
        set {
            context.failures.handler = newValue
            context.watchForFailures()
        }
    }

    /// The keys declared for this suite so far, by name.
    ///
    /// A `static let` is only declared when it is first used; `Defaults.declare(_:)` declares a list of keys. A key of
    /// another suite is declared here when it is used here, or by `Defaults.declare(_:in:)`.
    public var declaredKeys: [DefaultsKeyDescription] {
        context.catalogue.all.map { declaration in
            let allowed = declaration.allowed
            return DefaultsKeyDescription(
                name: declaration.name.string, typeName: "\(declaration.type)",
                defaultValue: declaration.isSecret ? nil : context.defaultValue(declaration),
                description: declaration.description, isSecret: declaration.isSecret,
                allowedValues: allowed.values, allowedRange: allowed.range)
        }
    }

    /// Whether a key of this name has been declared with `secret: true`, for this suite or for another one and used here.
    ///
    /// It stays so whatever is declared later.
    ///
    /// ```swift
    /// let suite = DefaultsSuite.standard
    /// let isSecret = suite.isSecret(forKey: "token")
    /// print(isSecret ? "(secret)" : suite.string(forKey: "token") ?? "")
    /// ```
    public func isSecret(forKey key: String) -> Bool { context.isSecret(KeyName(key)) }
}

extension SuiteContext {
    /// A default that cannot be encoded is reported.
    func defaultValue(_ declaration: KeyDeclaration) -> DefaultsValue? {
        do { return try declaration.defaultText()?.value } catch {
            reportLasting(error)
            return nil
        }
    }
}

/// What is wrong with the current values.
extension DefaultsSuite {
    /// Returns the current values of declared keys that do not decode or are not allowed, and unknown names.
    ///
    /// First those of the file in its order, then other domains' by key, then the broken validations across keys.
    ///
    /// Unknown names are listed once keys are declared, each with the nearest known one, a hundred at most.
    /// They are members of the settings file and of the administrator's, and variables with the given prefix.
    /// In the settings file a name with a dot does not set a member of an object, and an object does not set
    /// a key with a dot. Such names are listed too.
    ///
    /// - Cost: decodes every value of a declared key, and runs the validations.
    public func problems() -> [DefaultsProblem] {
        let view = context.viewReporting()
        let stored = view.snapshot.values.keys.compactMap { context.declaration($0) }.flatMap { declaration in
            problems(declaration, view) { $0 == .stored }
        }
        let others = context.catalogue.all.flatMap { declaration in
            problems(declaration, view) { $0 != .stored }
        }
        let validations = context.broken(in: DefaultsSnapshot(context: context, view: view)).map {
            validation in
            DefaultsProblem(
                key: nil, validation: validation.name, domain: nil, line: nil, column: nil,
                code: .invalidValue,
                reason: "the validation \"\(validation.name)\" fails for the present values", text: nil)
        }
        return stored + others + validations + context.unknownNames(in: view)
    }

    private func problems(
        _ declaration: KeyDeclaration, _ view: SuiteContext.View, where isWanted: (DefaultsDomain) -> Bool
    ) -> [DefaultsProblem] {
        let key = declaration.name
        let all = view.domains.candidates(key, stored: view.snapshot.values.value(forKey: key))
        // Values that combine are looked at together, and members with what they are laid over.
        let isTogether = declaration.merge != .replace || all.contains(where: \.isMember)
        let refusals = isTogether ? context.choice(of: key, among: all, view.domains).refusals : nil
        return all.indices.filter { isWanted(all[$0].domain) }.compactMap { index in
            let own =
                refusals == nil
                ? all[index].value.flatMap { declaration.objection($0, over: all.below(index)) }
                : refusals?[index]
            return (all[index].refusal ?? own).map { problem($0, all[index], declaration, view) }
        }
    }

    private func problem(
        _ error: DefaultsError, _ candidate: DomainStack.Candidate, _ declaration: KeyDeclaration,
        _ view: SuiteContext.View
    ) -> DefaultsProblem {
        let place =
            candidate.filePlace(of: declaration.name)
            ?? context.filePlace(of: declaration.name, candidate.domain, view.snapshot)
        return DefaultsProblem(
            key: declaration.name.string, domain: candidate.domain, line: place?.line,
            column: place?.column, code: error.code,
            reason: error.underlyingDescription ?? error.description,
            text: context.isSecret(declaration.name) ? nil : candidate.text)
    }
}
