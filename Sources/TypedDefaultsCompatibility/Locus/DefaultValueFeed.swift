import DefaultsStore
import TypedDefaults

/// Feeds one stream with the changed defaults of a container's settings, including those registered later.
final class DefaultValueFeed: Sendable {
    private let context: SuiteContext
    private let continuation: AsyncStream<DefaultValueUpdate>.Continuation
    /// Nil once the stream has ended.
    // A leaf: nothing is taken or called under it.
    private let observations = Locked<[DefaultsObservation]?>([])

    init(_ context: SuiteContext, _ continuation: AsyncStream<DefaultValueUpdate>.Continuation) {
        self.context = context
        self.continuation = continuation
    }

    /// Begins to report on some settings.
    func follow(_ settings: [RegisteredSetting]) {
        guard !settings.isEmpty else { return }
        let defaults = Dictionary(
            settings.map { ($0.name, $0.localDefault) }, uniquingKeysWith: { first, _ in first })
        let (domains, continuation) = (context.domains, continuation)
        let observation = context.observe(
            Array(defaults.keys), sendsInitial: false, delivery: .immediate,
            lookup: { key, _ in domains.load().fallback(of: key) ?? defaults[key] ?? nil }
        ) { notice, _ in
            for entry in notice.entries where entry.old?.value != entry.new?.value {
                continuation.yield((key: entry.key.string, value: entry.new?.value ?? .null))
            }
        }
        let isOver = observations.withLock { observations in
            observations?.append(observation)
            return observations == nil
        }
        if isOver { observation.invalidate() }
    }

    /// Stops reporting.
    func end() {
        let ended = observations.withLock { observations in
            defer { observations = nil }
            return observations
        }
        ended?.forEach { $0.invalidate() }
    }
}
