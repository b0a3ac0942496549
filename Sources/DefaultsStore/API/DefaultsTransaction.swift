/// What a transaction's body works on: reads see the latest committed state and the body's own writes.
///
/// It cannot leave the body that it was given to.
///
/// ```swift
/// let suite = DefaultsSuite.inMemory()
/// try suite.withTransaction { tx in
///     tx[key: "to"] = tx[key: "from"]
///     tx.removeValue(forKey: "from")
/// }
/// ```
public struct DefaultsTransaction: ~Copyable {
    package let context: SuiteContext
    package let open: WriteTransaction
    /// Whether a value has to be one that the declared key of its name can use.
    ///
    /// Not in a migration, whose steps have to do with the types of older versions too.
    var checksValues = true

    /// The effective value of a key.
    ///
    /// Setting one stores it; setting nil removes the stored value.
    ///
    /// A key or value that cannot be stored, or that a declared key could not use, makes the whole transaction fail
    /// with its error when the body returns.
    public subscript(key key: String) -> DefaultsValue? {
        get {
            do {
                try DefaultsError.refuseInChild()
                return try context.effective(KeyName(key), in: context.view(), isRaw: !checksValues)?
                    .value
            } catch {
                refuse(error)
                return nil
            }
        }
        nonmutating set {
            do throws(DefaultsError) {
                guard let newValue else { return try stage(nil, forKey: try validated(key)) }
                try stage(newValue, forKey: key, isChecked: checksValues)
            } catch {
                refuse(error)
            }
        }
    }

    /// Stages a value by name.
    ///
    /// - Throws: `.invalidKey`, `.valueTooLarge`, and `.typeMismatch` or `.invalidValue` for a value that a
    ///   declared key cannot use. They are thrown at once: a body that catches the error can go on.
    public func set(_ value: DefaultsValue, forKey key: String) throws(DefaultsError) {
        try stage(value, forKey: key, isChecked: checksValues)
    }

    /// Stores a value whether or not a key that is declared under the name can use it.
    ///
    /// - Throws: `.invalidKey`, `.valueTooLarge`.
    public func setUnchecked(_ value: DefaultsValue, forKey key: String) throws(DefaultsError) {
        try stage(value, forKey: key, isChecked: false)
    }

    private func stage(
        _ value: DefaultsValue, forKey key: String, isChecked: Bool
    ) throws(DefaultsError) {
        let (name, text) = (try validated(key), try StoredValue.checked(value, forKey: key, in: context.name))
        if isChecked { try context.checkUse(of: text, forKey: name) }
        try stage(text, forKey: name)
    }

    /// Removes a stored value, also of a locked key, so that the default applies.
    public func removeValue(forKey key: String) {
        do throws(DefaultsError) { try stageRemoval(ofKey: try validated(key)) } catch { refuse(error) }
    }

    /// Returns the name of a key, if a value may be written under it.
    ///
    /// - Throws: `.invalidKey`.
    package func validated(_ key: String) throws(DefaultsError) -> KeyName {
        do { return try KeyName.validated(key) } catch { throw error.inSuite(context.name) }
    }

    package func stage(_ value: StoredValue?, forKey key: KeyName) throws(DefaultsError) {
        // A step of a migration has to do with what is stored, whatever is locked above it.
        try stage(StoredChange(value, forKey: key, passesLocks: !checksValues))
    }

    /// Also of a locked key.
    package func stageRemoval(ofKey key: KeyName) throws(DefaultsError) {
        try stage(StoredChange(nil, forKey: key, passesLocks: true))
    }

    private func stage(_ change: StoredChange) throws(DefaultsError) {
        do { try DefaultsError.refuseInChild() } catch { throw error.inSuite(context.name) }
        open.store.writer.stage(change, in: open)
    }

    /// The transaction fails when its body returns; the first reason wins.
    package func refuse(_ error: DefaultsError) {
        open.refusal = open.refusal ?? error.inSuite(context.name)
    }
}

extension DefaultsSuite {
    /// Runs a body whose changes are committed together: other threads, processes and observers see all or
    /// none.
    ///
    /// The body holds the lock that all processes write under, so it has to be short; others give up after
    /// five seconds. Uses of the suite on the same thread and task inside the body join it. A nested call
    /// joins too, and rolls back only its own changes if it throws.
    ///
    /// If the body forks, it continues in both processes, but only the parent commits: in the child, the call
    /// throws.
    ///
    /// A user, whose editor takes no lock, may save the file while the body runs. Values that the body has
    /// not read are kept from both. If a value that it has read has changed, the call throws `.conflict`, and
    /// should be made again.
    ///
    /// - Throws: what the body throws, with nothing changed. The first reason for which a read or an
    ///   assignment in it was refused, such as `.invalidKey`, `.encodingFailed` or `.malformedFile`.
    ///   `.invalidValue` if a validation would fail. `.locked`, `.lockTimeout`, `.conflict`, `.readOnly`,
    ///   `.insecureDirectory`, `.unsupportedFormat`, `.valueTooLarge`, `.diskFull`, `.ioFailure`. `.forkedChild` in a
    ///   child that the body has forked.
    /// - Cost: that of one write, whatever the number of keys; nothing is written if nothing changes.
    public func withTransaction<Result, Failure: Error>(
        _ body: (inout DefaultsTransaction) throws(Failure) -> Result
    ) throws -> Result {
        // The type of error is a parameter because a body that names one crashes the compiler (6.3) where the verb is
        // generic over its result and takes any error.
        try withTransaction(until: nil, body)
    }

    /// Does the same.
    ///
    /// - Parameter deadline: until when it waits for the lock; nil for five seconds from now.
    package func withTransaction<Result, Failure: Error>(
        until deadline: Deadline?, _ body: (inout DefaultsTransaction) throws(Failure) -> Result
    ) throws -> Result {
        try context.withTransaction(until: deadline) { open in
            var transaction = DefaultsTransaction(context: context, open: open)
            return try body(&transaction)
        }
    }
}
