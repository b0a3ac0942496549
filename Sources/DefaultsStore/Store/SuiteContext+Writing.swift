import Synchronization

/// Writing: every write is a session of the store's writer.
extension SuiteContext {
    /// Runs a body in a transaction, joined to the caller's own if it has one open.
    ///
    /// - Parameter deadline: until when it waits for the locks, here as below; nil for five seconds from now.
    /// - Throws: what the body threw, with everything that it staged rolled back; otherwise what the commit threw.
    package func withTransaction<Result>(
        until deadline: Deadline? = nil, _ body: (WriteTransaction) throws -> Result
    ) throws -> Result {
        let (store, transaction) = try enter(until: deadline)
        store.writer.recordReads()
        let before = transaction.changes.mark()
        // An earlier refusal belongs to the outer call, and fails that when its body returns.
        let earlier = transaction.refusal
        transaction.refusal = nil
        defer { transaction.refusal = earlier }
        let result: Result
        do {
            result = try body(transaction)
            if let refusal = transaction.refusal { throw refusal }
        } catch {
            // In a child that the body has forked there is nothing to leave.
            if Fork.isRefused { throw error }
            store.writer.rollBack(transaction, to: before)
            do { try leave(store, transaction) } catch let second { report(second) }
            throw error
        }
        try leave(store, transaction)
        return result
    }

    package func enter(
        until deadline: Deadline? = nil
    ) throws(DefaultsError) -> (SettingsStore, WriteTransaction) {
        do {
            let store = try store()
            return (store, try store.writer.begin(until: deadline))
        } catch {
            throw error.inSuite(name)
        }
    }

    /// The outermost use commits.
    package func leave(_ store: SettingsStore, _ transaction: WriteTransaction) throws(DefaultsError) {
        do { try store.writer.end(transaction) } catch { throw error.inSuite(name) }
    }

    /// All or nothing.
    package func write(
        _ changes: [StoredChange], until deadline: Deadline? = nil
    ) throws(DefaultsError) {
        do {
            let store = try store()
            guard let transaction = store.writer.joined() else {
                var staged = StagedChanges()
                for change in changes { staged.set(change) }
                // A copy would take the types of all its members, which the runtime puts together.
                return try store.writer.write(WriteRequest(consume staged), until: deadline)
            }
            for change in changes { store.writer.stage(change, in: transaction) }
        } catch {
            throw error.inSuite(name)
        }
    }

    package func write(
        _ value: StoredValue?, forKey key: KeyName, until deadline: Deadline? = nil
    ) throws(DefaultsError) {
        if let value, value.isObject {
            return try write([change(value, forKey: key, from: nil)], until: deadline)
        }
        do {
            // Usually open already, and borrowed then: counting a reference to an object that is also referred to
            // weakly takes time.
            let isWritten = try opened.withLoaded { (store) throws(DefaultsError) in
                guard !Fork.isRefused, managed.isWatched.load(ordering: .acquiring) else { return false }
                try write(value, forKey: key, in: store, until: deadline)
                return true
            }
            if isWritten != true { try write(value, forKey: key, in: store(), until: deadline) }
        } catch {
            throw error.inSuite(name)
        }
    }

    @inline(__always)
    private func write(
        _ value: StoredValue?, forKey key: KeyName, in store: SettingsStore, until deadline: Deadline?
    ) throws(DefaultsError) {
        if let transaction = store.writer.joined() {
            store.writer.stage(value, forKey: key, in: transaction)
        } else {
            try store.writer.write(WriteRequest(StagedChanges(value, forKey: key)), until: deadline)
        }
    }

    /// Stores an array or object as an edit of the one that is stored (F25): what differs from what the program knows of it,
    /// or from what is stored, if nothing does or the program knows nothing.
    ///
    /// No lock is held while that is worked out. What others change meanwhile stays, unless it is the same member.
    ///
    /// - Parameter reading: returns what the type makes of a stored text; nil if that is no value of the type.
    package func edit(
        _ whole: StoredValue, forKey key: KeyName, _ type: Any.Type, as rule: ValueEdit.Rule = .whole,
        until deadline: Deadline? = nil, reading: (StoredValue) -> StoredValue?
    ) throws(DefaultsError) {
        do {
            let store = try store()
            if let transaction = store.writer.joined() {
                let stored = try transaction.stored(key)
                let text = rule.text(of: whole, from: stored.flatMap(reading), over: stored)
                return store.writer.stage(
                    try text.checkingSize(forKey: key.string, in: nil), forKey: key, in: transaction)
            }
            let stored = try store.state().values.value(forKey: key)
            var (before, since): (StoredValue?, UInt64?) = (nil, nil)
            if rule.isWhole { (before, since) = store.knownValues.value(of: key, type, reading: reading) }
            // A set that would change nothing is meant to be of the whole.
            if before == nil || before == whole { before = stored.flatMap(reading) }
            let change = try change(whole, forKey: key, as: rule, over: stored, from: before)
            let given =
                rule.isWhole
                ? KnownValues.Given(text: whole, type: ObjectIdentifier(type), since: since) : nil
            try store.writer.write(WriteRequest(StagedChanges(change), given: given), until: deadline)
        } catch {
            throw error.inSuite(name)
        }
    }

    /// Returns the change that makes the difference between two values of a program in what is stored.
    package func change(
        _ whole: StoredValue, forKey key: KeyName, from before: StoredValue?
    ) throws(DefaultsError) -> StoredChange {
        do {
            let store = try store()
            guard let transaction = store.writer.joined() else {
                let stored = try store.state().values.value(forKey: key)
                return try change(whole, forKey: key, as: .whole, over: stored, from: before)
            }
            let text = ValueEdit.Rule.whole.text(of: whole, from: before, over: try transaction.stored(key))
            return StoredChange(try text.checkingSize(forKey: key.string, in: nil), forKey: key)
        } catch {
            throw error.inSuite(name)
        }
    }

    private func change(
        _ whole: StoredValue, forKey key: KeyName, as rule: ValueEdit.Rule, over stored: StoredValue?,
        from before: StoredValue?
    ) throws(DefaultsError) -> StoredChange {
        let text = rule.text(of: whole, from: before, over: stored)
        return StoredChange(try text.checkingSize(forKey: key.string, in: nil), forKey: key)
            .namingMembers(of: stored)
    }

    /// Removes every stored setting; the members that name the schema and the steps of a migration stay.
    ///
    /// Without the names of the steps, each would be repeated on values that are new already.
    package func removeAll(until deadline: Deadline? = nil) throws(DefaultsError) {
        let (store, transaction) = try enter(until: deadline)
        for key in transaction.base.values.keys + transaction.changes.order where key.isSetting {
            store.writer.stage(StoredChange(nil, forKey: key, passesLocks: true), in: transaction)
        }
        transaction.changes.removesAll = true
        try leave(store, transaction)
    }
}

/// What may be set under a key's name, if a key is declared under it.
extension SuiteContext {
    /// Refuses a text that the declared key of a name could not use; runs the decoding of its type, and its validation.
    ///
    /// - Throws: `.typeMismatch`, `.invalidValue`.
    func checkUse(of text: StoredValue, forKey key: KeyName) throws(DefaultsError) {
        guard let declaration = catalogue.declaration(key),
            let objection = declaration.objection(
                toSetting: text, over: domains.load().below(text, of: key, stored: text))
        else { return }
        throw objection.ofGivenValue.inSuite(name)
    }

    /// Returns what a text means to the declared key of a name, as it would on the command line.
    ///
    /// - Throws: `.unregisteredKey` with the nearest name, `.invalidKey`, `.typeMismatch`, `.invalidValue`,
    ///   `.valueTooLarge`.
    func reading(_ text: String, forKey key: String) throws(DefaultsError) -> (KeyName, StoredValue) {
        do throws(DefaultsError) {
            let known = try KeyName.validated(key)
            guard let declaration = catalogue.declaration(known) else { throw undeclared(known) }
            do throws(DefaultsError) {
                let value = try declaration.reading([text]).checkingSize(forKey: key, in: name)
                try checkUse(of: value, forKey: known)
                return (known, value)
            } catch {
                throw error.ofGivenText(example: declaration.example())
            }
        } catch {
            throw error.inSuite(name)
        }
    }

    private func undeclared(_ key: KeyName) -> DefaultsError {
        let nearest = NearestName.of(key.string, among: catalogue.all.map(\.name))
        return DefaultsError(
            .unregisteredKey, key: key.string,
            underlyingDescription: nearest.map { "the nearest declared key is \"\($0)\"" }
                ?? "no key is declared")
    }
}

extension DefaultsError {
    /// The same error for a value that was given and is nowhere yet, so that there is nothing to correct.
    package var ofGivenValue: DefaultsError {
        code == .typeMismatch ? advising("Give a value of the key's type; nothing has changed.") : self
    }

    /// The same for a text, with another one that would be taken.
    package func ofGivenText(example: String?) -> DefaultsError {
        guard let example, code == .typeMismatch || code == .invalidValue else { return ofGivenValue }
        return advising("Give another text, such as \(example); nothing has changed.")
    }
}

extension DefaultsSuite {
    /// Stores the value that a text stands for, by the type, the validation and the `merge:` of the declared key, as a tool's
    /// `set KEY VALUE` needs it.
    ///
    /// The text is read like one of the command line, ``addArguments(_:names:)``: as it is for a key of `String`, otherwise as
    /// JSON or a bare word.
    ///
    /// - Cost: decodes the value; otherwise that of ``set(_:forKey:)-(DefaultsValue,_)``.
    /// - Throws: `.unregisteredKey` with the nearest name if no key of the name is declared, because a text has no
    ///   meaning without a type; `.typeMismatch`; and what ``set(_:forKey:)-(DefaultsValue,_)`` throws.
    public func set(text: String, forKey key: String) throws(DefaultsError) {
        let (key, value) = try context.reading(text, forKey: key)
        try context.write(value, forKey: key)
    }
}
