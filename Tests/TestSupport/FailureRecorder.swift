package import DefaultsStore

/// Hears the failures of a suite in place of standard error, and keeps them.
package struct FailureRecorder: Sendable {
    /// The list a test can wait on.
    package let recorder = Recorder<DefaultsError>()

    /// Becomes the suite's `onFailure`.
    package init(_ suite: DefaultsSuite) {
        let recorder = recorder
        suite.onFailure = { recorder.append($0) }
    }

    /// The failures so far, in order.
    package var all: [DefaultsError] { recorder.all }

    /// What the failures so far were, in order.
    package var codes: [DefaultsError.Code] { all.map(\.code) }

    /// Waits until at least so many failures have been reported.
    package func wait(for count: Int, within limit: Duration = .seconds(120)) -> Bool {
        recorder.wait(for: count, within: limit)
    }
}
