public import DefaultsStore

/// The throwing variant of typed access.
extension DefaultsSuite {
    /// Returns the value of a key in this suite.
    ///
    /// - Throws: if `suite[key]` would return the default as a substitute: `.typeMismatch`, `.invalidValue`,
    ///   `.malformedFile`, `.io`, `.insecureDirectory`; `.readOnly` if there is no suite and none can be created.
    public func value<Value>(_ key: Defaults.Key<Value>) throws(DefaultsError) -> Value {
        try key.valueThrowing(in: context)
    }

    /// Stores a value; nil removes it, unless the key has another default and `storesNil`.
    ///
    /// Observers in this process with `.immediate` delivery are called on the calling thread before this returns.
    ///
    /// - Cost: six system calls while nobody else writes, whatever the size of the suite, and two more for an array or
    ///   object, which is merged into what is stored; none waits for the disk, except on a network or user-space file system.
    /// - Guarantee: on return every process sees it, and it survives a kill.
    /// - Throws: `.locked`, `.invalidKey`, `.encodingFailed`, `.invalidValue`, `.valueTooLarge`, `.lockTimeout`,
    ///   `.readOnly`, `.insecureDirectory`, `.newerFormat`, `.diskFull`, `.io`; the old value is still there.
    public func set<Value>(_ key: Defaults.Key<Value>, to value: Value) throws(DefaultsError) {
        try key.set(value, in: context)
    }

    /// Changes a value atomically between threads and processes.
    ///
    /// ```swift
    /// let launches = Defaults.Key<Int>("launches", default: 0)
    /// let count = try DefaultsSuite.standard.modify(launches) { count in
    ///     count += 1
    ///     return count
    /// }
    /// ```
    ///
    /// The body runs on the calling thread, with the writer's lock of all processes, so it has to be short. It works
    /// on what is read, whichever domain that comes from, and the result is stored.
    ///
    /// - Returns: what the body returns.
    /// - Throws: what the body throws, with nothing stored; `.typeMismatch` and `.invalidValue` for a stored value
    ///   that the body could not work on, `.malformedFile` if it could not be read; `.secretFromElsewhere` for a
    ///   change of a secret that an argument, a variable, a transient value or a source supplies; `.conflict` if
    ///   somebody has saved the file in the meantime and changed what was read, so that it has to be done again; and
    ///   what ``set(_:to:)`` throws.
    @discardableResult
    public func modify<Value, Result, Failure: Error>(
        _ key: Defaults.Key<Value>, _ body: (inout Value) throws(Failure) -> Result
    ) throws -> Result {
        try modify(key, until: nil, body)
    }

    /// Does the same.
    ///
    /// - Parameter deadline: until when it waits for the lock; nil for five seconds from now.
    func modify<Value, Result, Failure: Error>(
        _ key: Defaults.Key<Value>, until deadline: Deadline?,
        _ body: (inout Value) throws(Failure) -> Result
    ) throws -> Result {
        try withTransaction(until: deadline) { transaction in
            var value = try key.valueThrowing(in: context)
            let stored = try transaction.open.stored(key.keyName)
            if let refusal = key.refusal(of: stored, in: context) { throw refusal }
            let objection = context.refusalOfForeignSecret(key.keyName)
            // Taken before the body, which may change an object in place. What cannot be stored, such as a default
            // that breaks the key's rule, counts as changed.
            let begun = value
            let before = Swift.Result { () throws(DefaultsError) in try key.textOfWhole(begun, in: context) }
            let isOfStored = key.isRead(of: stored, context.domains.load())
            let result = try body(&value)
            try transaction.stage(value, of: key, unless: before, isOfStored: isOfStored, objection)
            return result
        }
    }

    /// Removes the stored values of some keys, all in one transaction, also of locked ones, whose locked values apply as
    /// before.
    ///
    /// - Throws: `.invalidValue` if a rule would be broken, `.lockTimeout`, `.readOnly`,
    ///   `.insecureDirectory`, `.newerFormat`, `.diskFull`, `.io`; all values are still there, with the exception
    ///   that is described at `set`.
    public func reset(_ keys: Defaults.AnyKey...) throws(DefaultsError) { try reset(keys) }

    /// Does the same with an array of keys.
    public func reset(_ keys: [Defaults.AnyKey]) throws(DefaultsError) {
        for key in keys { key.register(in: context) }
        try context.write(keys.map { StoredChange(nil, forKey: $0.keyName, passesLocks: true) })
    }

    /// Whether a value is stored for a key in this suite, whatever it is.
    ///
    /// A failure to read is reported.
    public func isSet(_ key: Defaults.AnyKey) -> Bool {
        ReadRecorder.record(key.keyName, in: context)
        do { return try context.viewReporting().stored(key.keyName) != nil } catch {
            context.reportLasting(error)
            return false
        }
    }

    /// Whether the effective value equals the default: the registered one, else the key's own.
    public func isDefaultValue(_ key: Defaults.AnyKey) -> Bool { key.isDefaultValue(in: context) }
}

/// Typed keys and transient values.
extension DefaultsSuite {
    /// Sets a value for as long as this process runs: above what is stored, and never written to the file.
    ///
    /// ```swift
    /// let verbose = Defaults.Key<Bool>("verbose", default: false)
    /// try verbose.suite.setTransient(verbose, to: true)
    /// ```
    ///
    /// Setting nil removes the value, like ``removeTransient(_:)``.
    ///
    /// - Throws: `.locked` for an administrator's key, `.invalidValue`, `.encodingFailed`, `.invalidKey`,
    ///   `.valueTooLarge`; the previous value still counts then.
    public func setTransient<Value>(_ key: Defaults.Key<Value>, to value: Value) throws(DefaultsError) {
        key.register(in: context)
        try context.setTransient([(key.keyName, key.textToStore(value, in: context))])
    }

    /// Removes transient values, all together, so that the stored ones show again.
    ///
    /// - Throws: `.invalidValue` if a rule would be broken by that; then all of them stay.
    public func removeTransient(_ keys: Defaults.AnyKey...) throws(DefaultsError) {
        for key in keys { key.register(in: context) }
        try context.setTransient(keys.map { ($0.keyName, nil) })
    }
}
