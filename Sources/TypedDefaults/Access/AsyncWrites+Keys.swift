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
    /// Cost and guarantee are those of ``DefaultsSuite/set(_:to:)``. A value that cannot be stored is refused at once,
    /// before anything is waited for.
    ///
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
    /// let count = try await DefaultsSuite.standard.async.modify(launches) { count in
    ///     count += 1
    ///     return count
    /// }
    /// ```
    ///
    /// The body runs once, as a part of the task, but maybe on another thread and apart from any actor. It has to be
    /// short, and cannot suspend: it has the writer's lock of all processes.
    ///
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
    /// - Throws: what `DefaultsSuite.reset(_:)` throws; `CancellationError`. All values are still there then.
    public func reset(_ keys: Defaults.AnyKey..., isolation: isolated (any Actor)? = #isolation) async throws
    {
        try await reset(keys, isolation: isolation)
    }

    /// Does the same with an array of keys.
    public func reset(_ keys: [Defaults.AnyKey], isolation: isolated (any Actor)? = #isolation) async throws {
        let context = suite.context
        for key in keys { key.register(in: context) }
        let changes = keys.map { StoredChange(nil, forKey: $0.keyName, passesLocks: true) }
        try await context.whenFree(isolation: isolation) { try context.write(changes, until: $0) }
    }
}

extension Defaults {
    /// The writes for tasks of keys in their own suites: where the others would block their thread, these suspend the
    /// task.
    ///
    /// ```swift
    /// let volume = Defaults.Key<Double>("volume", default: 0.5)
    /// try await Defaults.async.set(volume, to: 0.7)
    /// try await Defaults.async.modify(volume) { $0 *= 2 }
    /// try await Defaults.async.reset(volume)
    /// ```
    ///
    /// Unlike other writes on `Defaults` they throw: a task may be cancelled, and has to be told.
    public static var async: AsyncWrites { AsyncWrites() }

    /// The writes for tasks of keys in their own suites: `Defaults.async`.
    ///
    /// Each is that of `DefaultsSuite.AsyncWrites`, in the key's own suite or in the one that stands in for it.
    public struct AsyncWrites: Sendable {
        /// Stores a value in the key's own suite.
        ///
        /// - Throws: what `suite.async.set` throws; the old value is still there.
        public func set<Value>(
            _ key: Key<Value>, to value: Value, isolation: isolated (any Actor)? = #isolation
        ) async throws {
            try await key.suite.async.set(key, to: value, isolation: isolation)
        }

        /// Changes a value in the key's own suite, atomically between threads and processes.
        ///
        /// - Returns: what the body returns.
        /// - Throws: what `suite.async.modify` throws; nothing is stored then.
        @discardableResult
        public func modify<Value, Result: Sendable, Failure: Error>(
            _ key: Key<Value>, isolation: isolated (any Actor)? = #isolation,
            _ body: @Sendable (inout Value) throws(Failure) -> Result
        ) async throws -> Result {
            try await key.suite.async.modify(key, isolation: isolation, body)
        }

        /// Removes the stored values of some keys: those of one suite together, in one transaction, and one suite after
        /// the other.
        ///
        /// - Throws: what `suite.async.reset` throws; the values of that suite, and of those that come after it, are still
        ///   there then.
        public func reset(_ keys: AnyKey..., isolation: isolated (any Actor)? = #isolation) async throws {
            try await reset(keys, isolation: isolation)
        }

        /// Does the same with an array of keys.
        public func reset(_ keys: [AnyKey], isolation: isolated (any Actor)? = #isolation) async throws {
            for (suite, keys) in Dictionary(grouping: keys, by: \.suite) {
                try await suite.async.reset(keys, isolation: isolation)
            }
        }
    }
}
