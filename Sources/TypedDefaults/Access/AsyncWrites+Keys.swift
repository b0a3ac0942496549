public import DefaultsStore

/// Typed keys, as in ``DefaultsSuite``.
extension DefaultsSuite.AsyncWrites {
    /// Stores a value; nil removes it, unless the key has another default and `storesNil`.
    ///
    /// ```swift
    /// let volume = Defaults.Key<Double>("volume", default: 0.5)
    /// try await DefaultsSuite.standard.async.set(volume, to: 0.7)
    /// ```
    ///
    /// Cost and guarantee are as for ``DefaultsSuite/set(_:to:)``. A value that cannot be stored is refused
    /// at once, without a wait.
    ///
    /// - Parameters:
    ///   - key: the key to store under.
    ///   - value: the new value.
    ///   - isolation: the caller's isolation; leave it out.
    /// - Throws: what ``DefaultsSuite/set(_:to:)`` throws; `CancellationError` if the task is cancelled before the write has
    ///   begun. The old value is still there.
    public func set<Value>(
        _ key: Defaults.Key<Value>, to value: Value, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        let context = suite.context
        key.register(in: context)
        let text = try key.textToStore(value, in: context)
        try await context.whenFree(isolation: isolation) { deadline in
            guard let text, text.isList else {
                return try context.write(text, forKey: key.keyName, until: deadline)
            }
            try key.edit(text, in: context, until: deadline)
        }
    }

    /// Changes a value atomically between threads and processes.
    ///
    /// ```swift
    /// let launches = Defaults.Key<Int>("launches", default: 0)
    /// let writes = DefaultsSuite.standard.async
    /// let count = try await writes.modify(launches) { count in
    ///     count += 1
    ///     return count
    /// }
    /// ```
    ///
    /// The body runs once, as a part of the task, possibly on another thread and outside any actor. It holds
    /// the lock that all processes write under, so it has to be short and cannot suspend.
    ///
    /// - Parameters:
    ///   - key: the key whose value changes.
    ///   - isolation: the caller's isolation; leave it out.
    ///   - body: changes the value in place.
    /// - Returns: what the body returns.
    /// - Throws: what ``DefaultsSuite/modify(_:_:)`` throws; `CancellationError` if the task is cancelled before the body has
    ///   begun. Nothing is stored then.
    @discardableResult
    public func modify<Value, Result: Sendable, Failure: Error>(
        _ key: Defaults.Key<Value>, isolation: isolated (any Actor)? = #isolation,
        _ body: @Sendable (inout Value) throws(Failure) -> Result
    ) async throws -> Result {
        let suite = suite
        return try await suite.context.whenFree(isolation: isolation) { deadline in
            try suite.modify(key, until: deadline, body)
        }
    }

    /// Removes the stored values of some keys, all in one transaction.
    ///
    /// - Throws: what ``DefaultsSuite/reset(_:)-(Defaults.AnyKey...)`` throws, or `CancellationError`. All
    ///   values are still there then.
    public func reset(_ keys: Defaults.AnyKey..., isolation: isolated (any Actor)? = #isolation) async throws
    {
        try await reset(keys, isolation: isolation)
    }

    /// Removes the stored values of an array of keys, all in one transaction.
    ///
    /// The form with the keys as arguments is ``reset(_:isolation:)-(Defaults.AnyKey...,_)``.
    ///
    /// - Throws: what ``DefaultsSuite/reset(_:)-([Defaults.AnyKey])`` throws, or `CancellationError`. All
    ///   values are still there then.
    public func reset(_ keys: [Defaults.AnyKey], isolation: isolated (any Actor)? = #isolation) async throws {
        let context = suite.context
        for key in keys { key.register(in: context) }
        let changes = keys.map { StoredChange(nil, forKey: $0.keyName, passesLocks: true) }
        try await context.whenFree(isolation: isolation) { try context.write(changes, until: $0) }
    }
}

extension Defaults {
    /// The writes of keys in their own suites that suspend the calling task instead of blocking its thread.
    ///
    /// ```swift
    /// let volume = Defaults.Key<Double>("volume", default: 0.5)
    /// try await Defaults.async.set(volume, to: 0.7)
    /// try await Defaults.async.modify(volume) { $0 *= 2 }
    /// try await Defaults.async.reset(volume)
    /// ```
    ///
    /// Unlike the other writes on `Defaults` they throw, because a task may be cancelled and has to know.
    public static var async: AsyncWrites { AsyncWrites() }

    /// The writes of keys in their own suites for tasks: `Defaults.async`.
    ///
    /// Each does what the call of that name in `DefaultsSuite.AsyncWrites` does. It writes to the key's own
    /// suite, or to the one that replaces it.
    public struct AsyncWrites: Sendable {
        /// Stores a value in the key's own suite.
        ///
        /// - Parameters:
        ///   - key: the key to store under.
        ///   - value: the new value; nil removes it, unless the key has another default and `storesNil`.
        ///   - isolation: the caller's isolation; leave it out.
        /// - Throws: what `suite.async.set` throws; the old value is still there.
        public func set<Value>(
            _ key: Key<Value>, to value: Value, isolation: isolated (any Actor)? = #isolation
        ) async throws {
            try await key.suite.async.set(key, to: value, isolation: isolation)
        }

        /// Changes a value in the key's own suite, atomically between threads and processes.
        ///
        /// - Parameters:
        ///   - key: the key whose value changes.
        ///   - isolation: the caller's isolation; leave it out.
        ///   - body: changes the value in place; it runs as in `suite.async.modify`.
        /// - Returns: what the body returns.
        /// - Throws: what `suite.async.modify` throws; nothing is stored then.
        @discardableResult
        public func modify<Value, Result: Sendable, Failure: Error>(
            _ key: Key<Value>, isolation: isolated (any Actor)? = #isolation,
            _ body: @Sendable (inout Value) throws(Failure) -> Result
        ) async throws -> Result {
            try await key.suite.async.modify(key, isolation: isolation, body)
        }

        /// Removes the stored values of some keys, in one transaction for each suite.
        ///
        /// The suites follow one after the other.
        ///
        /// - Throws: what `suite.async.reset` throws. The values of that suite, and of those after it, are
        ///   still there then.
        public func reset(_ keys: AnyKey..., isolation: isolated (any Actor)? = #isolation) async throws {
            try await reset(keys, isolation: isolation)
        }

        /// Removes the stored values of an array of keys, in one transaction for each suite.
        ///
        /// The form with the keys as arguments is ``reset(_:isolation:)-(Defaults.AnyKey...,_)``.
        ///
        /// - Throws: what `suite.async.reset` throws. The values of that suite, and of those after it, are
        ///   still there then.
        public func reset(_ keys: [AnyKey], isolation: isolated (any Actor)? = #isolation) async throws {
            for (suite, keys) in Dictionary(grouping: keys, by: \.suite) {
                try await suite.async.reset(keys, isolation: isolation)
            }
        }
    }
}
