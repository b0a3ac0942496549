/// Bringing what an older version of the program has stored into the shape of this version.
extension DefaultsSuite {
    /// The member of the file that lists the completed steps, in their order.
    public static let migrationsKey = KeyName.migrations.string

    /// Runs the steps that have not been run yet, in the order of the list, each once over all processes.
    ///
    /// All of them, and their names in the file's `$migrations` member, are one transaction: others see the old
    /// values or the new ones, and so does the next start after a crash. Call it at the start, before the first value
    /// is read; if there is nothing to do, that costs one read.
    ///
    /// Add new steps at the end; old ones may be dropped from the front when no file needs them any more. So a file
    /// whose last step is not in the list was written by a newer version of the program: then nothing is changed,
    /// `.newerFormat` is thrown, and the program decides whether to go on with what it finds. ``removeAll()`` removes
    /// the names too; call this again after it, before anything is written, or the steps are run on values that are
    /// new already.
    ///
    /// Traps if two steps have the same name.
    ///
    /// - Returns: the names of the steps that were run now.
    /// - Throws: what a step throws, with everything unchanged; `.newerFormat`; `.malformedFile` for a broken file;
    ///   `.typeMismatch` if `$migrations` is not a list of names; what ``withTransaction(_:)`` throws, for example
    ///   `.locked` for a step that writes an administrator's key.
    @discardableResult
    public func migrate(_ steps: [DefaultsMigration]) throws -> [String] {
        precondition(Set(steps.map(\.name)).count == steps.count, "two steps of a migration have one name")
        guard try stepsToDo(steps, in: core.view()).isEmpty == false else { return [] }
        return try withTransaction { transaction in
            let view = try core.view()
            let next = try stepsToDo(steps, in: view).map(\.name)
            for step in steps where next.contains(step.name) {
                try step.body(&transaction)
                // The next step must not continue from what could not be staged.
                if let refusal = transaction.open.refusal { throw refusal }
            }
            let all = try stepsDone(in: view) + next
            if !next.isEmpty { transaction[key: Self.migrationsKey] = .array(all.map { .string($0) }) }
            return next
        }
    }

    private func stepsToDo(
        _ steps: [DefaultsMigration], in view: SuiteCore.View
    ) throws(DefaultsError) -> [DefaultsMigration] {
        // What can be read of a broken file is not everything that has to be migrated.
        if let damage = view.snapshot.damage { throw damage.error.inSuite(name) }
        let done = try stepsDone(in: view)
        if let last = done.last, !steps.contains(where: { $0.name == last }) {
            throw DefaultsError(
                .newerFormat, suite: name, key: Self.migrationsKey, path: path,
                underlyingDescription: "a newer version of the program has migrated it")
        }
        return steps.filter { !done.contains($0.name) }
    }

    private func stepsDone(in view: SuiteCore.View) throws(DefaultsError) -> [String] {
        guard let value = try view.stored(.migrations)?.value else { return [] }
        let names = value.array?.compactMap(\.string)
        guard let names, names.count == value.array?.count else {
            throw DefaultsError(
                .typeMismatch, suite: name, key: Self.migrationsKey, path: path,
                underlyingDescription: "it is no list of names")
        }
        return names
    }
}
