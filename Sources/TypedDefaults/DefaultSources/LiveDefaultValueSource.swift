public import DefaultsStore

/// A source that reports more than values: locked values, their location and age, and failures while it
/// carries on.
///
/// A suite calls only ``layerUpdates()``. The values of an update's layer are a layer like that of any source. The
/// locked ones join the managed domain, below an administrator's file and above everything else, and
/// disappear with the layer.
///
/// ```swift
/// struct Announcements: LiveDefaultValueSource {
///     let name = "announcements"
///
///     func layerUpdates() -> AsyncStream<DefaultsLayerUpdate> {
///         AsyncStream { continuation in
///             let layer = DefaultsLayer(
///                 ["theme": "dark"], locked: ["beta": false],
///                 location: "shelf 3")
///             continuation.yield(DefaultsLayerUpdate(layer: layer))
///         }
///     }
/// }
/// ```
public protocol LiveDefaultValueSource: DefaultValueSource {
    /// Returns the present update, and one after every change; each update is complete in itself.
    ///
    /// A consumer takes one update at a time and may miss those in between. The first one may be late while
    /// nothing can be reported. The stream ends soon after its consumer stops. When it has ended, the
    /// follower asks for another one.
    func layerUpdates() -> AsyncStream<DefaultsLayerUpdate>
}

extension LiveDefaultValueSource {
    /// Returns the values of the first update that has a layer, without the locked ones.
    ///
    /// - Throws: the first failure of an update without a layer.
    public func defaultValues() async throws -> [String: DefaultsValue] {
        try await firstLayer().layer.values
    }

    /// Returns the values of the updates, each time they differ.
    public func changes() -> AsyncThrowingStream<[String: DefaultsValue], any Error>? {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                var last: [String: DefaultsValue]?
                for await update in layerUpdates() {
                    guard let values = update.layer?.values, values != last else { continue }
                    continuation.yield(values)
                    last = values
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Returns the first update with a layer.
    func firstLayer() async throws -> (layer: DefaultsLayer, failures: [DefaultsError]) {
        for await update in layerUpdates() {
            if let layer = update.layer { return (layer, update.failures) }
            if let failure = update.failures.first { throw failure }
        }
        try Task.checkCancellation()
        throw DefaultsError(.sourceFailed, underlyingDescription: "it has nothing to tell")
    }
}
