/// Bringing what an older version of the program has stored into the shape of this version.
extension DefaultsSuite {
    /// The member of the file that lists the completed steps of the list without a name, in their order.
    @_spi(TypedDefaults) public static let migrationsKey = KeyName.migrations.string

    /// The member of the file that has the completed steps of each list with a name.
    @_spi(TypedDefaults) public static let migrationListsKey = KeyName.migrationLists.string

    /// Runs the steps that have not been run yet, in the order of the list, each once over all processes.
    ///
    /// All of them, and their names in the file's `$migrations` member, are one transaction. Others see the
    /// old values or the new ones, and so does the next start after a crash. Call it at the start, before the
    /// first value is read. If there is nothing to do, it costs one read.
    ///
    /// Add new steps at the end; old ones may be dropped from the front when no file needs them any more. So
    /// a file whose last step is not in the list was written by a newer version of the program. Then nothing
    /// is changed, `.unsupportedFormat` is thrown, and the program decides whether to go on. Reads and writes work
    /// as before. ``removeAll()`` leaves the names, because the values written after it have the new form
    /// already.
    ///
    /// A step changes the stored value also of a locked key: the locked value applies as before.
    ///
    /// If several programs share the suite and each has its own steps, give the lists names. One of them may
    /// be without a name. Steps of different lists are independent.
    ///
    /// ```swift
    /// let suite = DefaultsSuite.inMemory()
    /// try suite.migrate(
    ///     [.rename("volume is loudness", from: "volume", to: "loudness")],
    ///     list: "player")
    /// try suite.migrate([.remove("no cache", keys: "cache")], list: "indexer")
    /// ```
    ///
    /// It traps if two steps have the same name.
    ///
    /// - Parameters:
    ///   - steps: the steps, oldest first.
    ///   - list: the name of the list; never change it, or all of the steps are run again.
    /// - Returns: the names of the steps that were run now.
    /// - Throws: what a step throws and what ``withTransaction(_:)`` throws, with everything unchanged.
    ///   `.unsupportedFormat`. `.malformedFile` for a broken file. `.typeMismatch` if the member with the completed
    ///   steps is not a list of names.
    @discardableResult
    public func migrate(_ steps: [DefaultsMigration], list: String? = nil) throws -> [String] {
        precondition(Set(steps.map(\.name)).count == steps.count, "two steps of a migration have one name")
        guard try stepsToDo(steps, of: list, in: context.view()).isEmpty == false else { return [] }
        return try withTransaction { transaction in
            transaction.checksValues = false
            let view = try context.view()
            let next = try stepsToDo(steps, of: list, in: view).map(\.name)
            for step in steps where next.contains(step.name) {
                try step.body(&transaction)
                // The next step must not continue from what could not be staged.
                if let refusal = transaction.open.refusal { throw refusal }
            }
            if !next.isEmpty {
                try record(try stepsDone(of: list, in: view) + next, of: list, in: transaction)
            }
            return next
        }
    }

    package func hasRun(_ step: String, of list: String) throws(DefaultsError) -> Bool {
        let view = try context.view()
        if let fault = view.snapshot.fault { throw fault.inSuite(name) }
        return try stepsDone(of: list, in: view).contains(step)
    }

    package func recordRun(
        _ step: String, of list: String, in transaction: borrowing DefaultsTransaction
    ) throws(DefaultsError) {
        try record(try stepsDone(of: list, in: context.view()) + [step], of: list, in: transaction)
    }

    private func stepsToDo(
        _ steps: [DefaultsMigration], of list: String?, in view: SuiteContext.View
    ) throws(DefaultsError) -> [DefaultsMigration] {
        // What can be read of a broken file is not everything that has to be migrated.
        if let fault = view.snapshot.fault { throw fault.inSuite(name) }
        let done = try stepsDone(of: list, in: view)
        if let last = done.last, !steps.contains(where: { $0.name == last }) {
            throw DefaultsError(
                .unsupportedFormat, suite: name, key: place(of: list).string, path: path,
                underlyingDescription:
                    "the last step done, \"\(last)\", is not in the list: a newer version of the "
                    + "program has migrated it, or another program that has to give its list a name of its own"
            )
        }
        return steps.filter { !done.contains($0.name) }
    }

    private func place(of list: String?) -> KeyName { list == nil ? .migrations : .migrationLists }

    private func stepsDone(
        of list: String?, in view: SuiteContext.View
    ) throws(DefaultsError) -> [String] {
        let value = if let list { try lists(in: view)[list] } else { try view.stored(.migrations)?.value }
        guard let value else { return [] }
        let names = value.array?.compactMap(\.string)
        guard let names, names.count == value.array?.count else {
            throw unusable(place(of: list), "it is no list of names")
        }
        return names
    }

    private func lists(in view: SuiteContext.View) throws(DefaultsError) -> DefaultsObject {
        guard let value = try view.stored(.migrationLists)?.value else { return [:] }
        guard let lists = value.object else { throw unusable(.migrationLists, "it is no object of lists") }
        return lists
    }

    private func unusable(_ key: KeyName, _ reason: String) -> DefaultsError {
        DefaultsError(.typeMismatch, suite: name, key: key.string, path: path, underlyingDescription: reason)
    }

    /// F19: records the completed steps of a list in the transaction that has run them; what is recorded of other
    /// lists stays.
    private func record(
        _ steps: [String], of list: String?, in transaction: borrowing DefaultsTransaction
    ) throws(DefaultsError) {
        let names = DefaultsValue.array(steps.map { .string($0) })
        guard let list else {
            transaction[key: Self.migrationsKey] = names
            return
        }
        // Read again, because a step may have migrated by another list.
        let others = (try transaction.storedValue(forKey: Self.migrationListsKey)?.object ?? [:])
            .filter { KeyName($0.key) != KeyName(list) }
        transaction[key: Self.migrationListsKey] = .object(DefaultsObject(others + [(list, names)]))
    }
}

/// One named step that brings stored values from an older shape into a newer one.
///
/// ```swift
/// let suite = DefaultsSuite.inMemory()
/// try suite.migrate([
///     .rename("volume is loudness", from: "volume", to: "loudness"),
///     .remove("no cache", keys: "cache", "cacheSize"),
///     DefaultsMigration("both sizes are one window") { tx in
///         let width = try tx.storedValue(forKey: "width") ?? 800
///         tx[key: "window"] = ["width": width]
///         tx.removeValue(forKey: "width")
///     },
/// ])
/// ```
public struct DefaultsMigration: Sendable {
    /// The name by which the file records the step; never change it or use it again.
    public let name: String
    let body: @Sendable (inout DefaultsTransaction) throws -> Void

    /// Creates a custom step.
    ///
    /// The body runs in a transaction: it holds the writer's lock, and if it throws, everything stays as it
    /// was. Read stored values with ``DefaultsTransaction/storedValue(forKey:)``. A subscript returns the
    /// effective value, which may be an administrator's or a default. A value that it stores by name need not
    /// have the type of a key that this version of the program declares, because a later step may change it.
    public init(_ name: String, _ body: @escaping @Sendable (inout DefaultsTransaction) throws -> Void) {
        self.name = name
        self.body = body
    }

    /// Moves a stored value to another key, without changing its text.
    ///
    /// If both keys are stored, the new key keeps its value and the old one is removed.
    ///
    /// - Parameters:
    ///   - name: the step's name, by which it runs once.
    ///   - old: the key whose stored value moves.
    ///   - new: the key for the value.
    public static func rename(_ name: String, from old: String, to new: String) -> DefaultsMigration {
        DefaultsMigration(name) { transaction in
            let (source, target) = (KeyName(old), try transaction.validated(new))
            guard source != target, let value = try transaction.open.stored(source) else { return }
            if try transaction.open.stored(target) == nil { try transaction.stage(value, forKey: target) }
            try transaction.stage(nil, forKey: source)
        }
    }

    /// Removes stored values, also of names that no program could store, such as an empty one.
    public static func remove(_ name: String, keys: String...) -> DefaultsMigration {
        DefaultsMigration(name) { transaction in
            // Of any name, because a file that somebody has written may have one that no program could store.
            for key in keys { try transaction.stage(nil, forKey: KeyName(key)) }
        }
    }

    /// Changes a stored value; nil removes it, and a key that is not stored is left alone.
    ///
    /// - Parameters:
    ///   - name: the step's name, by which it runs once.
    ///   - key: the key whose stored value changes.
    ///   - change: returns the new value; nil removes it.
    public static func transform(
        _ name: String, key: String, _ change: @escaping @Sendable (DefaultsValue) throws -> DefaultsValue?
    ) -> DefaultsMigration {
        DefaultsMigration(name) { transaction in
            guard let old = try transaction.storedValue(forKey: key) else { return }
            transaction[key: key] = try change(old)
        }
    }
}

extension DefaultsTransaction {
    /// Returns the stored value of a key as the transaction sees it, whatever other domains have.
    ///
    /// - Throws: the failure to read the files; `.forkedChild` in a child that the body has forked.
    public func storedValue(forKey key: String) throws(DefaultsError) -> DefaultsValue? {
        do {
            try DefaultsError.refuseInChild()
            return try open.stored(KeyName(key))?.value
        } catch {
            throw error.inSuite(context.name)
        }
    }
}
