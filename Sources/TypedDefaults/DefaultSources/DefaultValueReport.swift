public import DefaultsStore

/// Everything that a ``ReportingDefaultValueSource`` has to report at one moment.
///
/// ```swift
/// let layer = DefaultValueLayer(
///     ["volume": 0.5], location: "https://example.com")
/// let report = DefaultValueReport(layer: layer)
/// ```
public struct DefaultValueReport: Hashable, Sendable {
    /// The whole layer; nil to keep the last one, if none is known now.
    public var layer: DefaultValueLayer?
    /// The present failures.
    ///
    /// Each failure is reported to the suite's `failures` once, until a report comes without it.
    public var failures: [DefaultsError]

    /// Creates a report.
    public init(layer: DefaultValueLayer? = nil, failures: [DefaultsError] = []) {
        self.layer = layer
        self.failures = failures
    }
}
