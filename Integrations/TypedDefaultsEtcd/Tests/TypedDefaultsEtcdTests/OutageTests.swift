/// A server that is gone for a while.
import Testing
import TypedDefaults

@testable import TypedDefaultsEtcd

@Suite(.needsEtcd, .serialized, .timeLimit(.minutes(2))) struct OutageTests {
    @Test func `values stay while the server is gone, are called stale, and change when it is back`()
        async throws
    {
        let server = try await EtcdServer.alone()
        try await server.put("/app/a", "1")
        let follower = Follower(EtcdDefaultValueSource.test(server))
        #expect(await follower.reaches(["a": 1]))
        server.kill()
        #expect(await follower.hears("it cannot be reached"))
        #expect(
            try await eventually {
                follower.explain("a").first?.contains("revision 2, stale, loaded") == true
            })
        #expect(follower.suite.value(forKey: "a") == 1)
        try await server.start()
        try await server.put("/app/a", "2")
        #expect(await follower.reaches(["a": 2]))
        #expect(follower.states.all == [[:], ["a": 1], ["a": 2]])
        #expect(follower.explain("a").first?.contains("stale") == false)
    }

    @Test func `a server that comes back with other data and a lower revision is believed`() async throws {
        let server = try await EtcdServer.alone()
        for round in 1...5 { try await server.transaction([("/app/a", "\(round)"), ("/app/old", "1")]) }
        let folder = try TestFolder()
        let kept = try DefaultsSuite("kept", in: folder.path)
        let source = EtcdDefaultValueSource.test(server, lastKnown: kept)
        let follower = Follower(source)
        #expect(await follower.reaches(["a": 5, "old": 1]))
        server.kill()
        try server.forget()
        try await server.start()
        try await server.put("/app/a", "7")
        #expect(await follower.reaches(["a": 7]))
        #expect(follower.states.all.filter { $0["old"] != nil } == [["a": 5, "old": 1]])
        #expect(try await eventually { kept.value(forKey: "layer")?["revision"]?.int == 2 })
        server.kill()
        follower.following.invalidate()
        let later = Follower(EtcdDefaultValueSource.test(server, lastKnown: kept))
        #expect(await later.reaches(["a": 7]))
        #expect(later.states.all == [[:], ["a": 7]])
    }

    @Test func `another cluster at the same endpoint is believed whatever its revision`() async throws {
        let first = try await EtcdServer.alone()
        for round in 1...5 { try await first.put("/app/a", "\(round)") }
        let follower = Follower(EtcdDefaultValueSource.test(first))
        #expect(await follower.reaches(["a": 5]))
        first.kill()
        let second = EtcdServer(
            first.place, in: try TestFolder(), arguments: ["--initial-cluster-token", "another"])
        try await second.start()
        try await second.put("/app/b", "1")
        #expect(await follower.reaches(["b": 1]))
        #expect(follower.states.all.last == ["b": 1])
    }

    @Test func `attempts become rarer, and a server that is up again is found`() async throws {
        let server = try await EtcdServer.alone()
        try await server.put("/app/a", "1")
        server.kill()
        let attempts = Recorder<ContinuousClock.Instant>()
        let source = EtcdDefaultValueSource.test(server) { timing in
            timing.shortestPause = .milliseconds(200)
            timing.longestPause = .seconds(5)
            timing.connecting = { _ in attempts.append(.now) }
        }
        let follower = Follower(source)
        #expect(await attempts.wait(for: 5))
        // Half of 200, 400, 800 and 1600 ms at the least.
        #expect(attempts.all[4] - attempts.all[0] >= .milliseconds(1_500))
        #expect(follower.failures.all.count == 1)
        try await server.start()
        #expect(await follower.reaches(["a": 1]))
        #expect(await follower.recoveries.wait(for: 1))
        // Those that come while it starts, however long that takes: half of 3.2 s, then of 5 s, at the least.
        let later = attempts.all.dropFirst(4)
        #expect(zip(later, later.dropFirst()).allSatisfy { $1 - $0 >= .milliseconds(1_500) })
    }

    @Test func `a server that stops answering is called stale, and followed again when it goes on`()
        async throws
    {
        let server = try await EtcdServer.alone(["--grpc-keepalive-min-time", "100ms"])
        try await server.put("/app/a", "1")
        let source = EtcdDefaultValueSource.test(server) { timing in
            (timing.ping, timing.pong, timing.answer) = (.milliseconds(500), .milliseconds(500), .seconds(1))
        }
        let follower = Follower(source)
        #expect(await follower.reaches(["a": 1]))
        server.pause()
        #expect(try await eventually { follower.explain("a").first?.contains("stale") == true })
        server.goOn()
        try await server.put("/app/a", "2")
        #expect(await follower.reaches(["a": 2]))
        #expect(follower.states.all == [[:], ["a": 1], ["a": 2]])
    }

    @Test func `a following that ends while the server stops answering leaves no connection`() async throws {
        let server = try await EtcdServer.alone()
        try await server.put("/app/a", "1")
        let follower = Follower(EtcdDefaultValueSource.test(server))
        #expect(await follower.reaches(["a": 1]))
        server.pause()
        follower.following.invalidate()
        #expect(try await eventually { try server.connections() == 0 })
        server.goOn()
    }

    @Test func `an empty server empties the layer`() async throws {
        let server = try await EtcdServer.alone()
        try await server.put("/app/a", "1")
        let follower = Follower(EtcdDefaultValueSource.test(server))
        #expect(await follower.reaches(["a": 1]))
        server.kill()
        try server.forget()
        try await server.start()
        #expect(await follower.reaches([:]))
    }
}
