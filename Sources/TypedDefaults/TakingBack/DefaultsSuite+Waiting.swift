public import DefaultsStore

extension DefaultsSuite {
    /// Waits until the value of a key meets a condition.
    ///
    /// ```swift
    /// let ready = Defaults.Key<Bool>("ready", default: true, suite: .inMemory())
    /// try await ready.suite.wait(for: ready, timeout: .seconds(5)) { $0 }
    /// ```
    ///
    /// The value may be set by any process, or by hand. The condition gets the present value first, and then the
    /// latest one after each change; it may skip values that were replaced at once. The task is suspended meanwhile, and
    /// no thread is blocked.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - timeout: how long to wait at most; nil for as long as it takes.
    ///   - condition: whether a value is the one that is waited for.
    /// - Returns: the value that met the condition.
    /// - Throws: `.timedOut`; `CancellationError` if the task is cancelled.
    @discardableResult
    public func wait<Value>(
        for key: Defaults.Key<Value>, timeout: Duration? = nil,
        until condition: @escaping @Sendable (Value) -> Bool
    ) async throws -> Value {
        let suite = current
        return try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask {
                for await value in suite.updates(key) where condition(value) { return value }
                throw CancellationError()
            }
            if let timeout {
                group.addTask {
                    try await Task.sleep(for: timeout)
                    throw DefaultsError(.timedOut, suite: suite.name, key: key.name)
                }
            }
            defer { group.cancelAll() }
            for try await value in group { return value }
            throw CancellationError()
        }
    }
}
