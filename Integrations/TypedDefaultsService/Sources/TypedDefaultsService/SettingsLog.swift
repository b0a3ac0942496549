import Logging
import TypedDefaults

/// What is said and counted about a suite.
struct SettingsLog: Sendable {
    let suite: String
    let logger: Logger
    let levels: DefaultsService.Levels
    let meters: Meters

    func note(_ changes: [DefaultsChange]) {
        for (cause, some) in Dictionary(grouping: changes, by: { $0.cause }) {
            meters.count(some.count, changesBy: cause)
            guard let level = levels.changes else { continue }
            let names = some.map(\.key).sorted()
            var shown: [Logger.MetadataValue] = names.prefix(50).map { .string($0) }
            if names.count > shown.count { shown.append("and \(names.count - shown.count) more") }
            logger.log(
                level: level, "settings have changed",
                metadata: ["suite": "\(suite)", "cause": "\(cause)", "keys": .array(shown)])
        }
    }

    func note(_ failure: DefaultsError) {
        let isRecovery = failure.code == .recovered
        if !isRecovery { meters.count(failure) }
        guard let level = isRecovery ? levels.recoveries : levels.failures else { return }
        logger.log(level: level, "\(failure)", metadata: ["suite": "\(suite)", "code": "\(failure.code)"])
    }

    func note(_ checkpoint: DefaultsCheckpoint) { note(checkpoint.duration) }

    func note(_ duration: Duration) {
        meters.count(checkpointOf: duration)
        guard let level = levels.checkpoints else { return }
        logger.log(
            level: level, "settings are in their file",
            metadata: ["suite": "\(suite)", "duration": "\(duration)"])
    }

    func noteStart(without source: String) {
        guard let level = levels.failures else { return }
        logger.log(
            level: level, "a source has not supplied its values in time for the start",
            metadata: ["suite": "\(suite)", "source": "\(source)"])
    }
}
