import DefaultsStore

/// The layers of a file as it changes, for sources that read files.
package enum FileChanges {
    /// Returns a stream of whole layers, each when it differs from the one before it in the stream.
    ///
    /// A read that fails, for example after the file was deleted, ends it with the error.
    ///
    /// - Parameter watch: starts to watch, and calls what it is given whenever something may have changed.
    package static func layers(
        watch: (@escaping @Sendable () -> Void) -> PathWatch,
        read: @escaping @Sendable () throws -> [String: DefaultsValue]
    ) -> AsyncThrowingStream<[String: DefaultsValue], any Error> {
        let (bells, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let watch = watch { bell.yield() }
        let resource = watch.resource
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task.detached {
                // Nothing is read here at first: a change before that read would be taken for what was there.
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

    /// Reads, and reads again a moment later after a failure, because a file that somebody has just created may still
    /// be empty.
    private static func readOnceStable(
        on resource: WorkerPool.Resource, _ read: @escaping @Sendable () throws -> [String: DefaultsValue]
    ) async throws -> [String: DefaultsValue] {
        do { return try await inBackground(on: resource) { Result { try read() } }.get() } catch {
            try await Task.sleep(for: .milliseconds(100))
            return try await inBackground(on: resource) { Result { try read() } }.get()
        }
    }

    /// Runs what waits for a file, perhaps for ever, on a thread that no task needs.
    ///
    /// - Parameter path: the file's path: nothing but what is about this path waits with it.
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
