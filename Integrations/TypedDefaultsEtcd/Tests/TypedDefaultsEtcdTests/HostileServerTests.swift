/// A real server that means no good: what it says takes no more memory and time than the bounds allow, and becomes no setting.
import Foundation
import Testing
import TypedDefaults

@testable import TypedDefaultsEtcd

// One after the other, because the servers are in this process and take all of it.
@Suite(.timeLimit(.minutes(10)), .serialized) struct HostileServerTests {
    /// Follows a server until it has given some values and a failure tells of something; then those values still apply.
    private static func follow(
        _ deed: HostileServer.Deed, until text: String, values: [String: DefaultsValue],
        timing change: @escaping @Sendable (inout FollowTiming) -> Void = { _ in },
        counts check: @escaping @Sendable (HostileServer.Counts) -> Void = { _ in }
    ) async throws {
        try await HostileServer.with(deed) { endpoint, counts in
            let source = EtcdDefaultValueSource(
                endpoints: [endpoint], prefix: "/app", lastKnown: .inMemory()
            ).timed { timing in
                timing.shortestPause = .milliseconds(50)
                timing.longestPause = .milliseconds(400)
                timing.answer = .seconds(60)
                change(&timing)
            }
            let follower = Follower(source)
            if !values.isEmpty { #expect(await follower.reaches(values)) }
            #expect(await follower.hears(text), "\(follower.failures.all)")
            #expect(follower.suite.dictionaryRepresentation() == values)
            check(counts)
            follower.following.invalidate()
        }
    }

    @Test func `a listing without an end is given up at the bound`() async throws {
        try await Self.follow(
            .endlessListing(size: 1_000), until: "the prefix has more than 4194304 bytes", values: [:]
        ) { timing in
            timing.most = EtcdBounds(bytes: 4 << 20, keys: 1_000_000)
        } counts: { counts in
            // A page has a thousand keys.
            #expect(counts.pages <= 10)
        }
        try await Self.follow(
            .endlessListing(size: 1), until: "the prefix has more than 5000 keys", values: [:]
        ) {
            $0.most = EtcdBounds(bytes: .max, keys: 5_000)
        }
        try await Self.follow(
            .endlessListing(size: 1), until: "not all listed after 0.3 seconds", values: [:]
        ) {
            $0.most = EtcdBounds(bytes: .max, keys: .max)
            $0.listing = .milliseconds(300)
            $0.page = 4
        }
    }

    @Test func `a page of one message that is too large is refused, however few keys are asked for`()
        async throws
    {
        try await Self.follow(.hugePage(bytes: 17 << 20), until: "maximum payload size", values: [:])
    }

    @Test func `a batch without an end is given up at the bound, and what was known stays`() async throws {
        try await Self.follow(
            .endlessBatch(size: 10_000), until: "what is changed at once has more than 4194304 bytes",
            values: ["a": 1]
        ) { timing in
            timing.most = EtcdBounds(bytes: 4 << 20, keys: 1_000_000)
        }
        try await Self.follow(
            .endlessBatch(size: 1), until: "what is changed at once has more than 5000 keys", values: ["a": 1]
        ) { timing in
            timing.most = EtcdBounds(bytes: .max, keys: 5_000)
        }
    }

    @Test func `a change of one message that is too large is told as such, and all keys are listed again`()
        async throws
    {
        try await HostileServer.with(.hugeBatch(bytes: 17 << 20)) { endpoint, counts in
            let source = EtcdDefaultValueSource(endpoints: [endpoint], prefix: "/app", lastKnown: .inMemory())
                .timed { timing in
                    timing.shortestPause = .milliseconds(50)
                    timing.longestPause = .milliseconds(400)
                    timing.answer = .seconds(60)
                    // What ends a watch that has gone well for so long is told only if the next listing fails, too.
                    timing.steady = .seconds(600)
                }
            let follower = Follower(source)
            #expect(
                await follower.hears("probably since it has more than 16777216 bytes"),
                "\(follower.failures.all)")
            // What the third listing says, or a later one: two watches were given up before.
            #expect(await follower.states.wait { $0.contains { ($0["a"]?.int ?? 0) >= 111 } })
            #expect(counts.parts >= 2)
            #expect(follower.states.all.allSatisfy { Set($0.keys).isSubset(of: ["a"]) })
            follower.following.invalidate()
        }
    }

    @Test(arguments: [(10_000, 1_000), (1, 10_000_000)])
    func `headers and trailers without measure are refused`(_ count: Int, _ bytes: Int) async throws {
        try await Self.follow(.headers(count: count, bytes: bytes), until: "etcd", values: [:])
        try await Self.follow(.trailers(count: count, bytes: bytes), until: "etcd", values: [:])
    }

    @Test(arguments: ["/apps/b", "/ap", "/app", "/other/app/b", ""])
    func `a change of a key that is not below the prefix becomes no setting`(_ key: String) async throws {
        try await HostileServer.with(.foreignKey(key)) { endpoint, _ in
            let source = EtcdDefaultValueSource(endpoints: [endpoint], prefix: "/app", lastKnown: .inMemory())
            let follower = Follower(source)
            #expect(await follower.reaches(["a": 11]))
            #expect(await follower.hears("it is not below the prefix"))
            #expect(follower.states.all.allSatisfy { Set($0.keys).isSubset(of: ["a"]) })
            follower.following.invalidate()
        }
    }
}
