import Metrics
import TypedDefaults

/// What is counted of a suite; a factory gives the same meter for the same label and dimensions.
struct Meters: Sendable {
    let suite: String
    let factory: any MetricsFactory

    func count(_ number: Int, changesBy cause: DefaultsChange.Cause) {
        counter("defaults.changes", ("cause", Meters.word(for: cause))).increment(by: number)
    }

    func count(_ failure: DefaultsError) {
        counter("defaults.failures", ("code", "\(failure.code)")).increment()
    }

    func count(checkpointOf duration: Duration) {
        counter("defaults.checkpoints").increment()
        Timer(label: "defaults.checkpoint.duration", dimensions: [("suite", suite)], factory: factory)
            .record(duration: duration)
    }

    private func counter(_ label: String, _ dimension: (String, String)...) -> Counter {
        Counter(label: label, dimensions: [("suite", suite)] + dimension, factory: factory)
    }

    /// One of a few words, without the process or the source, of which there may be any number.
    private static func word(for cause: DefaultsChange.Cause) -> String {
        switch cause {
        case .thisProcess: "this_process"
        case .otherProcess: "other_process"
        case .fileEdited: "file_edited"
        case .defaultsChanged: "defaults_changed"
        }
    }
}
