public import DefaultsStore

/// A source that reports more than values: locked values, their location and age, and failures while it
/// carries on.
///
/// A suite calls only ``reports()``. The values of a report's layer are a layer like that of any source. The
/// locked ones join the managed domain, below an administrator's file and above everything else, and
/// disappear with the layer.
///
/// ```swift
/// struct Announcements: ReportingDefaultValueSource {
///     let name = "announcements"
///
///     func reports() -> AsyncStream<DefaultValueReport> {
///         AsyncStream { continuation in
///             let layer = DefaultValueLayer(
///                 ["theme": "dark"], locked: ["beta": false],
///                 location: "shelf 3")
///             continuation.yield(DefaultValueReport(layer: layer))
///         }
///     }
/// }
/// ```
public protocol ReportingDefaultValueSource: DefaultValueSource {
    /// Returns the present report, and one after every change; each report is complete in itself.
    ///
    /// A consumer takes one report at a time and may miss those in between. The first one may be late while
    /// nothing can be reported. The stream ends soon after its consumer stops. When it has ended, the
    /// follower asks for another one.
    func reports() -> AsyncStream<DefaultValueReport>
}

extension ReportingDefaultValueSource {
    /// Returns the values of the first report that has a layer, without the locked ones.
    ///
    /// - Throws: the first failure of a report without a layer.
    public func defaultValues() async throws -> [String: DefaultsValue] {
        try await firstLayer().layer.values
    }

    /// Returns the values of the reports, each time they differ.
    public func changes() -> AsyncThrowingStream<[String: DefaultsValue], any Error>? {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                var last: [String: DefaultsValue]?
                for await report in reports() {
                    guard let values = report.layer?.values, values != last else { continue }
                    continuation.yield(values)
                    last = values
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Returns the first report with a layer.
    func firstLayer() async throws -> (layer: DefaultValueLayer, failures: [DefaultsError]) {
        for await report in reports() {
            if let layer = report.layer { return (layer, report.failures) }
            if let failure = report.failures.first { throw failure }
        }
        try Task.checkCancellation()
        throw DefaultsError(.sourceFailed, underlyingDescription: "it has nothing to tell")
    }
}
