public import DefaultsStore

/// Everything that a ``LiveDefaultValueSource`` has to report at one moment.
///
/// ```swift
/// let layer = DefaultsLayer(
///     ["volume": 0.5], location: "https://example.com")
/// let update = DefaultsLayerUpdate(layer: layer)
/// ```
public struct DefaultsLayerUpdate: Hashable, Sendable {
    /// The whole layer; nil to keep the last one, if none is known now.
    public var layer: DefaultsLayer?
    /// The present failures.
    ///
    /// Each failure is reported to the suite's `failures` once, until an update comes without it.
    public var failures: [DefaultsError]

    /// Creates an update.
    public init(layer: DefaultsLayer? = nil, failures: [DefaultsError] = []) {
        self.layer = layer
        self.failures = failures
    }
}
