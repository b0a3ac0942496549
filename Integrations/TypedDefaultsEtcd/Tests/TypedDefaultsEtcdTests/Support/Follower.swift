import TypedDefaults

@testable import TypedDefaultsEtcd

/// A program of one machine that follows a source, and what it has seen.
final class Follower: Sendable {
    let suite: DefaultsSuite
    /// Everything that counted after each step.
    let states = Recorder<[String: DefaultsValue]>()
    let failures = Recorder<DefaultsError>()
    let recoveries = Recorder<DefaultsError>()
    private let observation: DefaultsObservation
    let following: DefaultValueSourceSubscription

    init(_ source: some DefaultValueSource, suite: DefaultsSuite = .inMemory()) {
        self.suite = suite
        suite.onFailure = { [failures, recoveries] failure in
            (failure.code == .recovered ? recoveries : failures).append(failure)
        }
        observation = suite.observeAll { [suite, states] in states.append(suite.dictionaryRepresentation()) }
        following = suite.follow(source)
    }

    /// Waits until these values and no others count.
    func reaches(_ values: [String: DefaultsValue]) async -> Bool { await states.wait { $0.last == values } }

    /// Waits until one value applies.
    func reaches(_ value: DefaultsValue?, forKey key: String) async -> Bool {
        await states.wait { $0.last?[key] == value }
    }

    /// Waits until a failure tells this.
    func hears(_ text: String) async -> Bool {
        await failures.wait { $0.contains { "\($0)".contains(text) } }
    }

    /// The lines of `explain`.
    func explain(_ key: String) -> [String] { suite.explain(forKey: key).map(\.description) }
}

extension EtcdDefaultValueSource {
    /// A source of the prefix `/app` that keeps nothing, has short pauses and asks the first endpoint first.
    static func test(
        _ servers: EtcdServer..., credentials: EtcdCredentials? = nil, tls: EtcdTLS? = nil,
        takesLocked: Bool = false, lastKnown: DefaultsSuite = .inMemory(),
        timing change: (inout FollowTiming) -> Void = { _ in }
    ) -> EtcdDefaultValueSource {
        EtcdDefaultValueSource(
            endpoints: servers.map(\.endpoint), prefix: "/app", credentials: credentials, tls: tls,
            takesLocked: takesLocked, lastKnown: lastKnown
        ).timed { timing in
            timing.firstEndpoint = 0
            timing.shortestPause = .milliseconds(50)
            timing.longestPause = .milliseconds(400)
            change(&timing)
        }
    }
}
