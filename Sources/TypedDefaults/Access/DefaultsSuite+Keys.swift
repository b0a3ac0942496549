public import DefaultsStore

/// The throwing variant of typed access.
extension DefaultsSuite {
    /// Returns the value of a key in this suite.
    ///
    /// - Throws: in each case in which `suite[key]` would return the default as a substitute:
    ///   `.typeMismatch`, `.invalidValue`, `.malformedFile`, `.ioFailure`, `.insecureDirectory`. `.readOnly` if
    ///   there is no suite and none can be created.
    public func value<Value>(_ key: Defaults.Key<Value>) throws(DefaultsError) -> Value {
        try key.valueThrowing(in: context)
    }

    /// Stores a value; nil removes it, unless the key has another default and `storesNil`.
    ///
    /// Observers in this process with `.immediate` delivery are called on the calling thread before this returns.
    ///
    /// - Cost: six system calls while no other process writes, whatever the size of the suite. An array or
    ///   object takes two more, because it is merged into the stored one. None waits for the disk, except on
    ///   a network or user-space file system.
    /// - Guarantee: on return every process sees it, and it survives a kill.
    /// - Throws: `.locked`, `.invalidKey`, `.encodingFailed`, `.invalidValue`, `.valueTooLarge`, `.lockTimeout`,
    ///   `.readOnly`, `.insecureDirectory`, `.unsupportedFormat`, `.diskFull`, `.ioFailure`; the old value is still there.
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
    /// The body runs on the calling thread, under the lock that all processes write under, so it has to be
    /// short. It gets what reading returns, from whichever domain, and the result is stored.
    ///
    /// - Returns: what the body returns.
    /// - Throws: what the body throws, with nothing stored, and what ``set(_:to:)`` throws. `.typeMismatch`
    ///   or `.invalidValue` for a stored value that cannot be used, `.malformedFile` if it could not be read.
    ///   `.wouldStoreSecret` for a change of a secret from an argument, a variable, a transient value or a
    ///   source. `.conflict` if the file was saved by hand meanwhile and what the body read has changed: call
    ///   it again.
    @discardableResult
    public func modify<Value, Result, Failure: Error>(
        _ key: Defaults.Key<Value>, _ body: (inout Value) throws(Failure) -> Result
    ) throws -> Result {
        try modify(key, until: nil, body)
    }

    /// - Parameter deadline: until when to wait for the lock; nil for five seconds from now.
    func modify<Value, Result, Failure: Error>(
        _ key: Defaults.Key<Value>, until deadline: Deadline?,
        _ body: (inout Value) throws(Failure) -> Result
    ) throws -> Result {
        try withTransaction(until: deadline) { transaction in
            var value = try key.valueThrowing(in: context)
            let stored = try transaction.open.stored(key.keyName)
            if let refusal = key.refusal(of: stored, in: context) { throw refusal }
            let objection = context.refusalOfForeignSecret(key.keyName)
            // Before the body, which may change an object in place. A value that cannot be stored, such as a
            // default that fails the key's validation, is always a change.
            let begun = value
            let before = Swift.Result { () throws(DefaultsError) in try key.textOfWhole(begun, in: context) }
            let isOfStored = key.isRead(of: stored, context.domains.load())
            let result = try body(&value)
            try transaction.stage(value, of: key, unless: before, isOfStored: isOfStored, objection)
            return result
        }
    }

    /// Removes the stored values of some keys, all in one transaction.
    ///
    /// A locked key loses its stored value too; its locked value applies as before.
    ///
    /// - Throws: `.invalidValue` if a validation would fail, `.lockTimeout`, `.readOnly`,
    ///   `.insecureDirectory`, `.unsupportedFormat`, `.diskFull`, `.ioFailure`. All values are still there then, with the
    ///   exception that is described at `set`.
    public func reset(_ keys: Defaults.AnyKey...) throws(DefaultsError) { try reset(keys) }

    /// Removes the stored values of an array of keys, all in one transaction.
    ///
    /// The form with the keys as arguments is ``reset(_:)-(Defaults.AnyKey...)``.
    ///
    /// - Throws: what ``reset(_:)-(Defaults.AnyKey...)`` throws, with the same state afterwards.
    public func reset(_ keys: [Defaults.AnyKey]) throws(DefaultsError) {
        for key in keys { key.register(in: context) }
        try context.write(keys.map { StoredChange(nil, forKey: $0.keyName, passesLocks: true) })
    }

    /// Whether a value is stored for a key in this suite, whether or not the key can use it.
    ///
    /// A failure to read is reported to `failures`.
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
    ///   `.valueTooLarge`. The previous value still applies then.
    public func setTransient<Value>(_ key: Defaults.Key<Value>, to value: Value) throws(DefaultsError) {
        key.register(in: context)
        try context.setTransient([(key.keyName, key.textToStore(value, in: context))])
    }

    /// Removes transient values, all together, so that the stored ones show again.
    ///
    /// - Throws: `.invalidValue` if a validation would fail by that. All of them stay then.
    public func removeTransient(_ keys: Defaults.AnyKey...) throws(DefaultsError) {
        for key in keys { key.register(in: context) }
        try context.setTransient(keys.map { ($0.keyName, nil) })
    }
}
