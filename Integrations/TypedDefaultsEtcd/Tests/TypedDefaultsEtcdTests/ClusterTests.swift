/// A cluster of three.
import Testing
import TypedDefaults

@testable import TypedDefaultsEtcd

@Suite(.needsEtcd, .serialized, .timeLimit(.minutes(2))) struct ClusterTests {
    /// Finds a server that does not answer within a second.
    private static func quick(_ timing: inout FollowTiming) {
        (timing.ping, timing.pong, timing.answer) = (.milliseconds(500), .milliseconds(500), .seconds(1))
    }

    private static let keepsAlive = ["--grpc-keepalive-min-time", "100ms"]

    /// Whether a whole number never went down.
    private static func rises(_ states: [[String: DefaultsValue]]) -> Bool {
        let numbers = states.compactMap { $0["a"]?.int }
        return numbers == numbers.sorted()
    }

    @Test func `when the followed member ends, the next one is followed`() async throws {
        let members = try await EtcdCluster.three().leaderFirst()
        try await members[0].put("/app/a", "1")
        let follower = Follower(EtcdDefaultValueSource.test(members[2], members[1], members[0]))
        #expect(await follower.reaches(["a": 1]))
        members[2].kill()
        try await members[0].put("/app/a", "2")
        #expect(await follower.reaches(["a": 2]))
        #expect(
            try await eventually {
                follower.explain("a").first?.contains("at \(members[1].endpoint)") == true
            })
        #expect(follower.states.all == [[:], ["a": 1], ["a": 2]])
        #expect(follower.failures.all.map(\.path) == [members[2].endpoint])
        #expect(await follower.recoveries.wait(for: 1))
    }

    @Test func `when the leader is killed, what its successor takes is heard`() async throws {
        let members = try await EtcdCluster.three().leaderFirst()
        try await members[0].put("/app/a", "1")
        let follower = Follower(EtcdDefaultValueSource.test(members[0], members[1], members[2]))
        #expect(await follower.reaches(["a": 1]))
        members[0].kill()
        try await members[1].putWhenElected("/app/a", "2")
        #expect(await follower.reaches(["a": 2]))
        try await members[2].put("/app/a", "3")
        #expect(await follower.reaches(["a": 3]))
        #expect(ClusterTests.rises(follower.states.all))
    }

    @Test func `a member that stops is left for another, and one that has fallen behind says nothing old`()
        async throws
    {
        let members = try await EtcdCluster.three(ClusterTests.keepsAlive).leaderFirst()
        try await members[0].put("/app/a", "1")
        let follower = Follower(
            EtcdDefaultValueSource.test(members[2], members[1], timing: ClusterTests.quick))
        #expect(await follower.reaches(["a": 1]))
        members[2].pause()
        for round in 2...20 { try await members[0].put("/app/a", "\(round)") }
        #expect(await follower.reaches(["a": 20]))
        // The other one goes as the first comes back, so it is asked while it has not caught up.
        members[1].pause()
        members[2].goOn()
        #expect(
            try await eventually {
                follower.explain("a").first?.contains("at \(members[2].endpoint)") == true
            })
        #expect(follower.suite.value(forKey: "a") == 20)
        members[1].goOn()
        try await members[0].put("/app/a", "21")
        #expect(await follower.reaches(["a": 21]))
        #expect(ClusterTests.rises(follower.states.all))
    }

    @Test func `a member that has lost its cluster is no source of news, and is one again afterwards`()
        async throws
    {
        let members = try await EtcdCluster.three().leaderFirst()
        try await members[0].put("/app/a", "1")
        let follower = Follower(EtcdDefaultValueSource.test(members[2], timing: ClusterTests.quick))
        #expect(await follower.reaches(["a": 1]))
        members[0].kill()
        members[1].kill()
        #expect(try await eventually { follower.explain("a").first?.contains("stale") == true })
        #expect(follower.suite.value(forKey: "a") == 1)
        async let first: Void = members[0].start()
        async let second: Void = members[1].start()
        _ = try await (first, second)
        try await members[0].put("/app/a", "2")
        #expect(await follower.reaches(["a": 2]))
        #expect(ClusterTests.rises(follower.states.all))
    }
}
