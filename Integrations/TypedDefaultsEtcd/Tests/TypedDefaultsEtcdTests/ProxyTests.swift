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
        proxy = try LocalProxy(before: server, in: folder.path)
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
