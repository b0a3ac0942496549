import Synchronization
import TypedDefaults

/// The observation, the streams and the sources of a service, from its start to its end.
final class Serving: Sendable {
    private struct Parts {
        let observation: DefaultsObservation
        let followings: [DefaultValueSourceSubscription]
        let noting: Task<Void, Never>
        let timing: Task<Void, Never>
    }

    private let suite: DefaultsSuite
    private let sources: [any DefaultValueSource]
    private let keepsLastKnown: Bool
    private let log: SettingsLog
    /// Asked for at once, so that what fails before the service runs is in its log.
    private let failures: AsyncStream<DefaultsError>
    private let parts = Mutex<Parts?>(nil)

    init(_ suite: DefaultsSuite, _ sources: [any DefaultValueSource], keepsLastKnown: Bool, log: SettingsLog)
    {
        (self.suite, self.sources, self.keepsLastKnown, self.log) = (suite, sources, keepsLastKnown, log)
        failures = suite.failures
    }

    deinit {
        let parts = parts.withLock { $0 }
        parts?.noting.cancel()
        parts?.timing.cancel()
    }

    /// Begins to observe and to follow, unless that has begun.
    func begin() { _ = begun() }

    private func begun() -> Parts {
        if let parts = parts.withLock({ $0 }) { return parts }
        let (log, failures, checkpoints) = (log, failures, suite.checkpoints)
        let fresh = Parts(
            observation: suite.observeAll(options: []) { log.note($0) },
            followings: sources.map { suite.follow($0, keepingLastKnown: keepsLastKnown) },
            noting: Task { for await failure in failures { log.note(failure) } },
            timing: Task { for await checkpoint in checkpoints { log.note(checkpoint) } })
        parts.withLock { $0 = fresh }
        return fresh
    }

    /// Begins, and waits for the first answer of each source.
    func beginAndWait(within limit: Duration) async {
        let followings = begun().followings
        await withTaskGroup(of: Void.self) { [sources, log] group in
            for (source, following) in zip(sources, followings) {
                group.addTask {
                    guard await !following.ready(within: limit), !Task.isCancelled else { return }
                    log.noteStart(without: source.name)
                }
            }
        }
    }

    /// Ends all of it with a checkpoint; one that fails is logged.
    func end() async {
        guard let parts = parts.withLock({ $0.take() }) else { return }
        parts.followings.forEach { $0.invalidate() }
        // It is noted here, and not by a task that may not be given the time.
        parts.timing.cancel()
        await parts.timing.value
        checkpointAtEnd()
        parts.noting.cancel()
        await parts.noting.value
        parts.observation.invalidate()
    }

    private func checkpointAtEnd() {
        let begin = ContinuousClock.now
        do throws(DefaultsError) {
            try suite.checkpoint()
            log.note(ContinuousClock.now - begin)
        } catch {
            log.note(error)
        }
    }
}
