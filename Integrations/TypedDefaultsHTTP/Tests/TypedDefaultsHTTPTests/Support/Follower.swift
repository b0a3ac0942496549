import TypedDefaults

@testable import TypedDefaultsHTTP

/// A program that follows a source, and what it has seen.
final class Follower: Sendable {
    let suite: DefaultsSuite
    /// Everything that counted after each step.
    let states = Recorder<[String: DefaultsValue]>()
    let failures = Recorder<String>()
    let recoveries = Recorder<DefaultsError>()
    private let observation: DefaultsObservation
    let following: DefaultValueSourceSubscription

    init(
        _ source: some DefaultValueSource, suite: DefaultsSuite = .inMemory(), keepingLastKnown: Bool = false
    ) {
        self.suite = suite
        suite.onFailure = { [failures, recoveries] failure in
            if failure.code == .recovered { return recoveries.append(failure) }
            failures.append(failure.underlyingDescription ?? "\(failure)")
        }
        observation = suite.observeAll { [suite, states] in states.append(suite.dictionaryRepresentation()) }
        following = suite.follow(source, keepingLastKnown: keepingLastKnown)
    }

    /// Waits until these values and no others count.
    func reaches(_ values: [String: DefaultsValue]) async -> Bool { await states.wait { $0.last == values } }
}

extension HTTPDefaultValueSource {
    /// A source that asks every 20 ms, and after a failure as soon.
    static func test(
        _ server: LoopbackServer, _ path: String = "/", headers: [String: String] = [:], name: String? = nil,
        mapper: Mapper? = nil
    ) -> HTTPDefaultValueSource {
        var pace = HTTPPace(interval: .milliseconds(20))
        pace.shortest = .milliseconds(10)
        return HTTPDefaultValueSource(
            fetch: HTTPFetch(url: server.url(path), headers: headers), pace: pace, name: name, mapper: mapper)
    }
}
