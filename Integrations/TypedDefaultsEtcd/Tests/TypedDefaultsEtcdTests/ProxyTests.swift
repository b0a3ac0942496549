/// Many followers behind etcd's gRPC proxy, which asks the server once for all of them.
import LocalEtcd
import Testing
import TypedDefaults

@testable import TypedDefaultsEtcd

@Suite(.needsEtcd, .serialized, .timeLimit(.minutes(2))) struct ProxyTests {
    private let folder: TestFolder
    private let server: LocalEtcd
    private let proxy: LocalProxy

    init() throws {
        folder = try TestFolder()
        server = try LocalEtcd(in: folder.path)
        proxy = try LocalProxy(before: server.endpoint, in: folder.path)
    }

    private func follower() -> Follower {
        Follower(
            EtcdDefaultValueSource(
                endpoints: [proxy.endpoint], prefix: "/app", lastKnown: DefaultsSuite.inMemory()))
    }

    @Test func `followers behind a proxy hear every change, and cost the server one watch`() async throws {
        try server.put([("/app/a", "1")])
        let first = follower()
        #expect(await first.reaches(["a": 1]))
        try server.put([("/app/a", "2")])
        #expect(await first.reaches(["a": 2]))
        // The proxy has others, for its own use.
        let watches = try server.metrics()["etcd_debugging_mvcc_watcher_total"]
        let followers = [first] + (1...3).map { _ in follower() }
        for follower in followers { #expect(await follower.reaches(["a": 2])) }
        for round in 3...5 {
            let value = DefaultsValue(integerLiteral: Int128(round))
            try server.put([("/app/a", "\(round)"), ("/app/b", "\(round)")])
            for follower in followers { #expect(await follower.reaches(["a": value, "b": value])) }
        }
        let all: [[String: DefaultsValue]] = [
            ["a": 2], ["a": 3, "b": 3], ["a": 4, "b": 4], ["a": 5, "b": 5],
        ]
        #expect(followers.map { $0.states.all.suffix(4) } == [all[...], all[...], all[...], all[...]])
        #expect(followers.flatMap(\.failures.all) == [])
        #expect(try server.metrics()["etcd_debugging_mvcc_watcher_total"] == watches)
    }

    @Test func `a follower that joins later is told the changes that come after`() async throws {
        try server.put([("/app/a", "1")])
        let first = follower()
        #expect(await first.reaches(["a": 1]))
        try server.put([("/app/a", "2")])
        #expect(await first.reaches(["a": 2]))
        let second = follower()
        #expect(await second.reaches(["a": 2]))
        try server.put([("/app/a", "3")])
        #expect(await second.reaches(["a": 3]))
        #expect(second.states.all == [[:], ["a": 2], ["a": 3]])
    }
}

/// Watches that nobody hears of.
@Suite(.needsEtcd, .serialized, .timeLimit(.minutes(2))) struct SilenceTests {
    private static let tellsProgress = ["--experimental-watch-progress-notify-interval", "200ms"]

    /// A source that asks the first endpoint first, notes each connection and each answer of a watch, and gives up a
    /// silent watch soon.
    private static func source(
        _ endpoints: [String], silence: Duration, connected: Recorder<Int>, heard: Recorder<Int>
    ) -> EtcdDefaultValueSource {
        EtcdDefaultValueSource(endpoints: endpoints, prefix: "/app", lastKnown: .inMemory()).timed { timing in
            (timing.firstEndpoint, timing.silence, timing.steady) = (0, silence, .zero)
            timing.connecting = { _ in connected.append(1) }
            timing.heard = { heard.append(1) }
        }
    }

    private let connected = Recorder<Int>()
    private let heard = Recorder<Int>()

    @Test(arguments: [false, true])
    func `word of its progress keeps a watch without news, through a proxy too`(isBehindProxy: Bool)
        async throws
    {
        let folder = try TestFolder()
        let server = try await EtcdServer.alone(SilenceTests.tellsProgress)
        let proxy = try isBehindProxy ? LocalProxy(before: server.endpoint, in: folder.path) : nil
        try await server.put("/app/a", "1")
        let source = SilenceTests.source(
            [proxy?.endpoint ?? server.endpoint], silence: .seconds(6), connected: connected, heard: heard)
        let follower = Follower(source)
        #expect(await follower.reaches(["a": 1]))
        // So many take twice the silence at the least.
        #expect(await heard.wait(for: 62, within: 90))
        #expect(connected.all == [1])
        withExtendedLifetime(follower) {}
    }

    @Test func `a proxy whose server hangs is left for the next endpoint, and nobody is told`() async throws {
        let folder = try TestFolder()
        let members = try await EtcdCluster.three(SilenceTests.tellsProgress).leaderFirst()
        let proxy = try LocalProxy(before: members[2].endpoint, in: folder.path)
        try await members[0].put("/app/a", "1")
        let source = SilenceTests.source(
            [proxy.endpoint, members[0].endpoint], silence: .seconds(6), connected: connected, heard: heard)
        let follower = Follower(source)
        #expect(await follower.reaches(["a": 1]))
        #expect(await heard.wait(for: 32, within: 60))
        #expect(connected.all == [1])
        members[2].pause()
        try await members[0].put("/app/a", "2")
        #expect(await follower.reaches(["a": 2]))
        #expect(connected.all == [1, 1])
        #expect(follower.states.all == [[:], ["a": 1], ["a": 2]])
        #expect(follower.failures.all == [])
    }

    @Test func `a watch that is told nothing at all is made anew, which nobody hears`() async throws {
        let server = try await EtcdServer.alone()
        try await server.put("/app/a", "1")
        let follower = Follower(
            SilenceTests.source(
                [server.endpoint], silence: .milliseconds(200), connected: connected, heard: heard))
        #expect(await connected.wait(for: 5))
        try await server.put("/app/a", "2")
        #expect(await follower.reaches(["a": 2]))
        #expect(follower.states.all == [[:], ["a": 1], ["a": 2]])
        #expect(follower.failures.all == [])
    }
}
