import DefaultsStore

/// The layers of a file as it changes, for sources that read files.
package enum FileChanges {
    /// Returns a stream of whole layers, each different from the one before.
    ///
    /// A failed read, for example of a deleted file, ends it with the error.
    ///
    /// - Parameter watch: starts a watch; its argument is called after every possible change.
    package static func layers(
        watch: (@escaping @Sendable () -> Void) -> PathWatch,
        read: @escaping @Sendable () throws -> [String: DefaultsValue]
    ) -> AsyncThrowingStream<[String: DefaultsValue], any Error> {
        let (bells, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let watch = watch { bell.yield() }
        let resource = watch.resource
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task.detached {
                // No read before the first notification: a change before that read would pass for the
                // original content.
                var last: [String: DefaultsValue]?
                for await _ in bells {
                    do {
                        let layer = try await FileChanges.readOnceStable(on: resource, read)
                        if layer != last { continuation.yield(layer) }
                        last = layer
                    } catch {
                        return continuation.finish(throwing: error)
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in
                task.cancel()
                withExtendedLifetime(watch) {}
            }
        }
    }

    /// Reads, and once more 100 ms after a failure, because a file that was just created may still be empty.
    private static func readOnceStable(
        on resource: WorkerPool.Resource, _ read: @escaping @Sendable () throws -> [String: DefaultsValue]
    ) async throws -> [String: DefaultsValue] {
        do { return try await inBackground(on: resource) { Result { try read() } }.get() } catch {
            try await Task.sleep(for: .milliseconds(100))
            return try await inBackground(on: resource) { Result { try read() } }.get()
        }
    }

    /// Runs a body that waits for a file, perhaps for ever, on a thread outside Swift's pool.
    ///
    /// - Parameter path: the file's path; only work on this path waits with it.
    package static func inBackground<Value: Sendable>(
        at path: String, _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await inBackground(on: .path(path), body)
    }

    private static func inBackground<Value: Sendable>(
        on resource: WorkerPool.Resource, _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            WorkerPool.shared.run(on: resource) { continuation.resume(returning: body()) }
        }
    }
}
