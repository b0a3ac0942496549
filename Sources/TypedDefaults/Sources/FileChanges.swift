import DefaultsStore

/// The layers of a file as it changes: how a source that rests on files tells of its changes.
package enum FileChanges {
    /// A stream of whole layers, each when it differs from the one before it in the stream.
    ///
    /// A reading that fails, as after the file was deleted, ends it with the error.
    ///
    /// - Parameter watch: starts to watch, and calls what it is given whenever something may have changed.
    package static func layers(
        watch: (@escaping @Sendable () -> Void) -> PathWatch,
        read: @escaping @Sendable () throws -> [String: DefaultsValue]
    ) -> AsyncThrowingStream<[String: DefaultsValue], any Error> {
        let (bells, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let watch = watch { bell.yield() }
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task.detached {
                // Nothing is read here at first: a change before that reading would be taken for what was there.
                var last: [String: DefaultsValue]?
                for await _ in bells {
                    do {
                        let layer = try await FileChanges.settled(read)
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

    /// Reads; what fails is read again a moment later, since a file that somebody just made may still be empty.
    private static func settled(
        _ read: @escaping @Sendable () throws -> [String: DefaultsValue]
    ) async throws -> [String: DefaultsValue] {
        do { return try await inBackground { Result { try read() } }.get() } catch {
            try await Task.sleep(for: .milliseconds(100))
            return try await inBackground { Result { try read() } }.get()
        }
    }

    /// Runs what waits for a disk on a thread that no task needs.
    package static func inBackground<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value
    {
        await withCheckedContinuation { continuation in
            Courier.shared.run { continuation.resume(returning: body()) }
        }
    }
}
