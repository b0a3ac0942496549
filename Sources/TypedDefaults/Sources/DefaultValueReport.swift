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

/// Everything one source supplies, put in place in one step: no observer sees a part of it.
public struct DefaultValueLayer: Hashable, Sendable {
    /// The default values, below everything that is stored.
    public var values: [String: DefaultsValue]
    /// Values that count before everything but an administrator's file, and whose keys nobody may set.
    public var locked: [String: DefaultsValue]
    /// Where the values stand and in what state, as `explain(key:)` and errors are to show it.
    public var place: String?
    /// How old the values were when the layer was made, which `explain(key:)` counts on from.
    public var age: Duration

    /// Makes a layer.
    public init(
        _ values: [String: DefaultsValue], locked: [String: DefaultsValue] = [:], place: String? = nil,
        age: Duration = .zero
    ) {
        self.values = values
        self.locked = locked
        self.place = place
        self.age = age
    }
}
