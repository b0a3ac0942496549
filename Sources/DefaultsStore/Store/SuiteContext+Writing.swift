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
        store.writer.noteReads()
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

    /// Joins or opens a transaction.
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

    /// Leaves a transaction; the outermost use commits.
    package func leave(_ store: SettingsStore, _ transaction: WriteTransaction) throws(DefaultsError) {
        do { try store.writer.end(transaction) } catch { throw error.inSuite(name) }
    }

    /// Stores or removes the values of some keys, all or nothing.
    ///
    /// - Parameter laid: those of the changes that are laid over what is stored.
    package func write(
        _ changes: [StoredChange], laid: [LaidChange] = [], until deadline: Deadline? = nil
    ) throws(DefaultsError) {
        do {
            let store = try store()
            guard let transaction = store.writer.joined() else {
                var staged = StagedChanges()
                for change in changes { staged.set(change) }
                // A copy would take the types of all its members, which the runtime puts together.
                return try store.writer.write(WriteRequest(consume staged, laid: laid), until: deadline)
            }
            var texts: [KeyName: StoredValue] = [:]
            for change in laid {
                texts[change.key] = try change.text(over: try transaction.stored(change.key))?
                    .checkingSize(forKey: change.key.string, in: nil)
            }
            for change in changes {
                let laid = texts[change.key].map { StoredChange($0, forKey: change.key) }
                store.writer.stage(laid ?? change, in: transaction)
            }
        } catch {
            throw error.inSuite(name)
        }
    }

    /// Stores or removes one key's value.
    package func write(
        _ value: StoredValue?, forKey key: KeyName, until deadline: Deadline? = nil
    ) throws(DefaultsError) {
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
            try store.writer.write(StagedChanges(value, forKey: key), until: deadline)
        }
    }

    /// Stores an array or object as an edit of the one that is stored.
    ///
    /// The program's type reads what is stored with no lock held, and again if that has been changed in the meantime. If
    /// it is changed time after time, the type reads it in a transaction, as in an access in place.
    ///
    /// - Parameters:
    ///   - basis: a text that may be the stored one, and what the type makes of it.
    ///   - reading: returns what the type makes of a text; nil if that is no value of the type.
    /// - Returns: the text that is stored then.
    package func lay(
        _ whole: StoredValue, forKey key: KeyName, as rule: LaidChange.Rule = .whole,
        over basis: LaidChange.Basis?, until deadline: Deadline? = nil,
        reading: (StoredValue) -> StoredValue?
    ) throws(DefaultsError) -> StoredValue {
        // One for all attempts.
        let deadline = deadline ?? .after(milliseconds: WriterLock.limit)
        var basis = basis
        do throws(DefaultsError) {
            for _ in 0..<SuiteContext.attemptsToLay {
                let store = try store()
                guard store.writer.joined() == nil else { break }
                let change = LaidChange(
                    whole, forKey: key, as: rule, from: basis.map { .basis($0) } ?? .nothing)
                let request = WriteRequest(StagedChanges(whole, forKey: key), laid: [change])
                do throws(DefaultsError) {
                    try store.writer.write(request, until: deadline)
                    return request.text(ofKey: key) ?? whole
                } catch {
                    guard let text = request.unknown else { throw error }
                    deadline.call?.noteAnew()
                    basis = LaidChange.Basis(text: text, reading: reading(text))
                }
            }
            return try layInTransaction(
                whole, forKey: key, as: rule, over: basis, until: deadline, reading: reading)
        } catch {
            throw error.inSuite(name)
        }
    }

    private func layInTransaction(
        _ whole: StoredValue, forKey key: KeyName, as rule: LaidChange.Rule, over basis: LaidChange.Basis?,
        until deadline: Deadline, reading: (StoredValue) -> StoredValue?
    ) throws(DefaultsError) -> StoredValue {
        let (store, transaction) = try enter(until: deadline)
        let text: StoredValue
        do throws(DefaultsError) {
            let stored = try transaction.stored(key)
            let isKnown = basis?.text == stored
            text = try rule.text(
                of: whole, from: isKnown ? basis?.reading : stored.flatMap(reading), over: stored
            ).checkingSize(forKey: key.string, in: nil)
            store.writer.stage(text, forKey: key, in: transaction)
        } catch {
            do { try leave(store, transaction) } catch let second { report(second) }
            throw error
        }
        try leave(store, transaction)
        return text
    }

    /// How often what is stored is read without the lock: once, and again if it has changed.
    private static let attemptsToLay = 4

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
    /// Refuses a text that the declared key of a name could not use; runs the decoding of its type, and its rule.
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
    /// Stores the value that a text stands for, by the type, the rule and the `merge:` of the declared key, as a tool's
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
