public import DefaultsStore

/// All that a ``ReportingDefaultValueSource`` has to tell at one moment.
///
/// ```swift
/// let report = DefaultValueReport(layer: DefaultValueLayer(["volume": 0.5], place: "https://example.com"))
/// ```
public struct DefaultValueReport: Hashable, Sendable {
    /// The whole layer; nil where none is known: the last one stays.
    public var layer: DefaultValueLayer?
    /// What is wrong.
    ///
    /// Each goes to the suite's `failures` once, until a report is without it.
    public var failures: [DefaultsError]

    /// Makes a report.
    public init(layer: DefaultValueLayer? = nil, failures: [DefaultsError] = []) {
        self.layer = layer
        self.failures = failures
    }
}
