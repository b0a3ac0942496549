/// Writes for tasks.
extension DefaultsSuite {
    /// The suite's writes that suspend the calling task instead of blocking its thread.
    ///
    /// ```swift
    /// let suite = DefaultsSuite.standard
    /// try await suite.async.set(0.5, forKey: "volume")
    /// try await suite.async.synchronize()
    /// ```
    public var async: AsyncWrites { AsyncWrites(suite: self) }

    /// The writes of a suite for tasks: `suite.async`.
    ///
    /// Swift runs all tasks on a few threads. A write may have to wait up to five seconds for another thread
    /// or process that is writing, and a blocked thread runs no task. These calls do not block it:
    ///
    /// - Without contention they do at once what the call of the same name does, and the task is not
    ///   suspended.
    /// - Otherwise the task is suspended until earlier writers have finished. All waiting tasks of a suite
    ///   share one thread, which does not belong to Swift's pool. The work is done on that thread, as a part
    ///   of the same task: its task-local values and suite replacements apply. Handlers with `.immediate`
    ///   delivery are called on it.
    /// - The task is also suspended at the first use of a suite, which opens it, and if its file is on a
    ///   network or user-space file system.
    ///
    /// A task that is cancelled before its write begins throws `CancellationError`, and nothing is stored. A
    /// call of a cancelled task throws at once; a waiting one throws when its turn comes. A write that has
    /// begun is completed. Otherwise these calls throw what the call of the same name throws, and
    /// `.lockTimeout` if their turn comes after more than five seconds. A fault of a key or value is thrown
    /// at once, without a wait.
    ///
    /// Waiting tasks write in the order of their calls. A body runs once, under the lock that all processes
    /// write under. So it cannot suspend, or others would wait for whatever it awaits.
    ///
    /// The `isolation` of the calls is the caller's, which is the default.
    public struct AsyncWrites: Sendable {
        package let suite: DefaultsSuite
    }
}

/// Access by key name, as in ``DefaultsSuite``.
extension DefaultsSuite.AsyncWrites {
    /// Stores a value.
    ///
    /// Cost and guarantee are as for ``DefaultsSuite/set(_:forKey:)-(DefaultsValue,_)``.
    ///
    /// - Parameters:
    ///   - value: the new value.
    ///   - key: the name of the key.
    ///   - isolation: the caller's isolation; leave it out.
    /// - Throws: what that throws, or `CancellationError`. The old value is still there.
    public func set(
        _ value: DefaultsValue, forKey key: String, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        let context = suite.context
        let (known, text) = try suite.checked(value, forKey: key)
        try context.checkUse(of: text, forKey: known)
        try await context.whenFree(isolation: isolation) { deadline in
            try context.write(text, forKey: known, until: deadline)
        }
    }

    /// Stores a value whether or not a key that is declared under the name can use it.
    ///
    /// - Parameters:
    ///   - value: the new value.
    ///   - key: the name of the key.
    ///   - isolation: the caller's isolation; leave it out.
    /// - Throws: what ``DefaultsSuite/setUnchecked(_:forKey:)`` throws; `CancellationError`.
    public func setUnchecked(
        _ value: DefaultsValue, forKey key: String, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        let context = suite.context
        let (known, text) = try suite.checked(value, forKey: key)
        try await context.whenFree(isolation: isolation) { deadline in
            try context.write(text, forKey: known, until: deadline)
        }
    }

    /// Stores the value of a text, by the type, the validation and the `merge:` of the declared key.
    ///
    /// - Parameters:
    ///   - text: the text, as on the command line.
    ///   - key: the name of the key.
    ///   - isolation: the caller's isolation; leave it out.
    /// - Throws: what ``DefaultsSuite/set(text:forKey:)`` throws, or `CancellationError`. The old value is
    ///   still there.
    public func set(
        text: String, forKey key: String, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        let context = suite.context
        let (known, value) = try context.reading(text, forKey: key)
        try await context.whenFree(isolation: isolation) { deadline in
            try context.write(value, forKey: known, until: deadline)
        }
    }

    /// Removes the stored value; those of other domains stay.
    ///
    /// - Throws: what ``DefaultsSuite/removeValue(forKey:)`` throws; `CancellationError`. The value is still there then.
    public func removeValue(forKey key: String, isolation: isolated (any Actor)? = #isolation) async throws {
        let context = suite.context
        let known = try suite.validated(key)
        try await context.whenFree(isolation: isolation) { deadline in
            try context.write(
                [StoredChange(nil, forKey: known, passesLocks: true)], until: deadline)
        }
    }

    /// Removes all stored values, in one transaction, and leaves what ``DefaultsSuite/removeAll()`` leaves.
    ///
    /// - Throws: what that throws; `CancellationError`. All values are still there then.
    public func removeAll(isolation: isolated (any Actor)? = #isolation) async throws {
        let context = suite.context
        try await context.whenFree(isolation: isolation) { try context.removeAll(until: $0) }
    }

    /// Runs a body whose changes are committed together: other threads, processes and observers see all or none.
    ///
    /// ```swift
    /// let suite = DefaultsSuite.inMemory()
    /// try await suite.async.withTransaction { tx in
    ///     tx[key: "to"] = tx[key: "from"]
    ///     tx.removeValue(forKey: "from")
    /// }
    /// ```
    ///
    /// The body runs once, as a part of the task, possibly on another thread and outside any actor. It holds
    /// the lock that all processes write under, so it has to be short and cannot suspend.
    ///
    /// - Returns: what the body returns.
    /// - Throws: what ``DefaultsSuite/withTransaction(_:)`` throws; `CancellationError` if the task is cancelled before the
    ///   body has begun. Nothing is stored then.
    public func withTransaction<Result: Sendable, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: @Sendable (inout DefaultsTransaction) throws(Failure) -> Result
    ) async throws -> Result {
        let suite = suite
        return try await suite.context.whenFree(isolation: isolation) { deadline in
            try suite.withTransaction(until: deadline, body)
        }
    }
}

/// Storing what a variable of a plain type holds.
///
/// They are disfavoured and generic, so that a literal, and what begins with a dot, is a ``DefaultsValue``.
extension DefaultsSuite.AsyncWrites {
    /// Stores a Boolean.
    ///
    /// - Parameters:
    ///   - value: the new value.
    ///   - key: the name of the key.
    ///   - isolation: the caller's isolation; leave it out.
    /// - Throws: what ``DefaultsSuite/set(_:forKey:)-(DefaultsValue,_)`` throws, or `CancellationError`. The
    ///   old value is still there.
    @_disfavoredOverload
    public func set(
        _ value: Bool, forKey key: String, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        try await set(DefaultsValue(value), forKey: key, isolation: isolation)
    }

    /// Stores an integer.
    ///
    /// - Parameters:
    ///   - value: the new value.
    ///   - key: the name of the key.
    ///   - isolation: the caller's isolation; leave it out.
    /// - Throws: what ``DefaultsSuite/set(_:forKey:)-(DefaultsValue,_)`` throws, or `CancellationError`. The
    ///   old value is still there.
    @_disfavoredOverload
    public func set<Value: BinaryInteger>(
        _ value: Value, forKey key: String, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        try await set(DefaultsValue(value), forKey: key, isolation: isolation)
    }

    /// Stores a floating-point number.
    ///
    /// A `Float` has no more digits than it needs. A non-finite number, which JSON does not have, is stored
    /// by its name.
    ///
    /// - Parameters:
    ///   - value: the new value.
    ///   - key: the name of the key.
    ///   - isolation: the caller's isolation; leave it out.
    /// - Throws: what ``DefaultsSuite/set(_:forKey:)-(DefaultsValue,_)`` throws, or `CancellationError`. The
    ///   old value is still there.
    @_disfavoredOverload
    public func set<Value: BinaryFloatingPoint>(
        _ value: Value, forKey key: String, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        let plain = (value as? Float).map(DefaultsValue.init) ?? DefaultsValue(Double(value))
        try await set(plain, forKey: key, isolation: isolation)
    }

    /// Stores a string.
    ///
    /// - Parameters:
    ///   - value: the new value.
    ///   - key: the name of the key.
    ///   - isolation: the caller's isolation; leave it out.
    /// - Throws: what ``DefaultsSuite/set(_:forKey:)-(DefaultsValue,_)`` throws, or `CancellationError`. The
    ///   old value is still there.
    @_disfavoredOverload
    public func set<Text: StringProtocol>(
        _ value: Text, forKey key: String, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        try await set(DefaultsValue.string(String(value)), forKey: key, isolation: isolation)
    }
}

/// Waiting for the disk, as ``DefaultsSuite`` does.
extension DefaultsSuite.AsyncWrites {
    /// Waits until all acknowledged writes, of every process, survive power loss.
    ///
    /// The task is suspended, unless they do already. Tasks that wait at the same time share the wait.
    ///
    /// - Throws: what ``DefaultsSuite/synchronize()`` throws; `CancellationError` if the task is cancelled before its own
    ///   wait for the disk begins.
    public func synchronize(isolation: isolated (any Actor)? = #isolation) async throws {
        let (context, name) = (suite.context, suite.name)
        do throws(DefaultsError) {
            if let store = context.openStore, try store.durability.isUpToDate { return }
        } catch {
            throw error.inSuite(name)
        }
        try await context.onDisk(isolation: isolation) { deadline in
            do throws(DefaultsError) {
                try context.store().durability.synchronize(until: deadline)
            } catch {
                throw error.inSuite(name)
            }
        }
    }

    /// Waits until the JSON file itself has all acknowledged writes and survives power loss.
    ///
    /// The task is suspended, unless the suite is in memory.
    ///
    /// - Throws: what ``DefaultsSuite/checkpoint()`` throws; `CancellationError` if the task is cancelled while it waits for
    ///   other writers. Every acknowledged write is still there then.
    public func checkpoint(isolation: isolated (any Actor)? = #isolation) async throws {
        let (context, name) = (suite.context, suite.name)
        if context.openStore?.isInMemory == true { return }
        try await context.onDisk(isolation: isolation) { deadline in
            do throws(DefaultsError) {
                let limit = deadline.within(milliseconds: WriterLock.limit)
                try context.store().checkpointer.checkpoint(until: limit)
            } catch {
                throw error.inSuite(name)
            }
        }
    }
}
