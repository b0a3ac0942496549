public import DefaultsStore

/// Everything that a ``ReportingDefaultValueSource`` has to report at one moment.
///
/// ```swift
/// let report = DefaultValueReport(layer: DefaultValueLayer(["volume": 0.5], place: "https://example.com"))
/// ```
public struct DefaultValueReport: Hashable, Sendable {
    /// The whole layer; nil if none is known: the last one stays.
    public var layer: DefaultValueLayer?
    /// What is wrong.
    ///
    /// Each failure is reported to the suite's `failures` once, until a report comes without it.
    public var failures: [DefaultsError]

    /// Creates a report.
    public init(layer: DefaultValueLayer? = nil, failures: [DefaultsError] = []) {
        self.layer = layer
        self.failures = failures
    }
}
