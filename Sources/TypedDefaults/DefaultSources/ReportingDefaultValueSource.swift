public import DefaultsStore

/// A source that reports more than values: which of them are locked, where they come from and how old they are, and
/// what fails while it carries on by itself.
///
/// A suite asks it only for ``reports()``. The values of a report's layer are a layer like that of any source; the
/// locked ones join the managed domain, below an administrator's file and above everything else, and disappear with
/// the layer.
///
/// ```swift
/// struct Announcements: ReportingDefaultValueSource {
///     let name = "announcements"
///     func reports() -> AsyncStream<DefaultValueReport> {
///         AsyncStream { continuation in
///             let layer = DefaultValueLayer(["theme": "dark"], locked: ["beta": false], place: "shelf 3")
///             continuation.yield(DefaultValueReport(layer: layer))
///         }
///     }
/// }
/// ```
public protocol ReportingDefaultValueSource: DefaultValueSource {
    /// Returns the state of things now and after every change of it; each report is complete in itself.
    ///
    /// A consumer takes one report at a time and may miss those in between. While nothing can be reported at all the
    /// first one may be late; the stream ends soon after its consumer stops. The follower asks for another stream
    /// when it has ended.
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
